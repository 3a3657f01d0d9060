namespace Transfer.Batch.Carriers.Spool.Fetching;

/// <summary>Counts the items of all fetched jobs, and reports them to the application.</summary>
internal sealed class FetchedItems : IProgress<ItemResult>
{
    private readonly IProgress<ItemResult>? _application;

    public FetchedItems(IProgress<ItemResult>? application) => _application = application;

    public JobTally Tally { get; } = new();

    public void Report(ItemResult value)
    {
        if (value.Error is null) Tally.Done(value.Action, value.Result ?? new TransferResult());
        else Tally.Failed(value);
        _application?.Report(value);
    }
}
