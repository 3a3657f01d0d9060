namespace Transfer.Batch.Carriers.Exec;

/// <summary>Collects the results of a batch's items. Failed items are tried once more on their own, and reported only after that.
/// Thread-safe.</summary>
internal sealed class BatchItems : IProgress<ItemResult>, IProgress<string>
{
    private readonly IProgress<ItemResult>? _inner;
    private readonly HashSet<string> _rest = [];

    /// <param name="inner">Receives the items that have arrived or are skipped.</param>
    public BatchItems(IProgress<ItemResult>? inner) => _inner = inner;

    /// <summary>The items to be moved on their own.</summary>
    public IReadOnlyCollection<string> Rest
    {
        get { lock (_rest) return [.. _rest]; }
    }

    public void Report(ItemResult value)
    {
        if (value.Error is not null) AddToRest(value.Path);
        else _inner?.Report(value);
    }

    /// <summary>Forgets the items to be moved on their own, as others move them.</summary>
    public void Forget()
    {
        lock (_rest) _rest.Clear();
    }

    /// <summary>Leaves a folder to the rest.</summary>
    void IProgress<string>.Report(string value) => AddToRest(value);

    /// <summary>Leaves an item to the rest.</summary>
    public void AddToRest(string path)
    {
        lock (_rest) _rest.Add(path);
    }
}
