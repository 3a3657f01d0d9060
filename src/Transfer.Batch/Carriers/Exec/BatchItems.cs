namespace Transfer.Batch.Carriers.Exec;

/// <summary>Hears how items of a batch end. What failed in it is tried once more on its own, and nobody is told of it before that. Thread-safe.</summary>
internal sealed class BatchItems : IProgress<ItemResult>, IProgress<string>
{
    private readonly IProgress<ItemResult>? _inner;
    private readonly HashSet<string> _rest = [];

    /// <param name="inner">Is told of what has arrived or is left out.</param>
    public BatchItems(IProgress<ItemResult>? inner) => _inner = inner;

    /// <summary>What is to go on its own.</summary>
    public IReadOnlyCollection<string> Rest
    {
        get { lock (_rest) return [.. _rest]; }
    }

    public void Report(ItemResult value)
    {
        if (value.Error is not null) Leave(value.Path);
        else _inner?.Report(value);
    }

    /// <summary>Leaves a folder to the rest.</summary>
    void IProgress<string>.Report(string value) => Leave(value);

    /// <summary>Leaves an item to the rest.</summary>
    public void Leave(string path)
    {
        lock (_rest) _rest.Add(path);
    }
}
