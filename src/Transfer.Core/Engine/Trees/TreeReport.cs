namespace Transfer.Engine.Trees;

/// <summary>Counts the entries of a job over one tree, and reports each to the reader of the job's items. Thread-safe.</summary>
/// <param name="context">The job as its caller holds it.</param>
/// <param name="time">The clock.</param>
internal sealed class TreeReport(TransferJobContext context, TimeProvider time) : IProgress<ItemResult>
{
    private readonly JobTally _tally = new();
    private readonly long _started = time.GetTimestamp();

    /// <summary>The job as its caller holds it.</summary>
    public TransferJobContext Context => context;

    public void Report(ItemResult item)
    {
        if (item.Error is null) _tally.Done(item.Action, item.Result!);
        else _tally.Failed(item);
        context.Items?.Report(item);
    }

    /// <summary>Runs the work. Its first error is in the result if that is an entry's, and else the job's as a whole.</summary>
    public async Task<JobResult> ResultOfAsync<T>(Task<T> work)
    {
        try
        {
            await work.ConfigureAwait(false);
        }
        catch (TransferException e) when (ToResult().Failures.Any(item => item.Error == e))
        {
            // Each entry is in the result.
        }
        return ToResult();
    }

    private JobResult ToResult() => _tally.ToResult(time.GetElapsedTime(_started), sessions: 0);
}
