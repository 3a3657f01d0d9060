namespace Transfer.TestSupport;

/// <summary>What tests do with jobs.</summary>
internal static class JobCalls
{
    /// <summary>Reads a job to its end.</summary>
    public static async Task<JobResult> TellAsync(this TransferJob job, IProgress<ItemResult> items)
    {
        await foreach (var item in job.ReadItemsAsync()) items.Report(item);
        return await job.Completion;
    }
}
