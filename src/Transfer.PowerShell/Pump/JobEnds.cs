namespace Transfer.PowerShell.Pump;

/// <summary>Ends of jobs.</summary>
internal static class JobEnds
{
    /// <summary>
    /// Cancels jobs, all at once, and waits until no unfinished work of theirs is left. Not on the pipeline's thread, so that none of the
    /// jobs waits for that.
    /// </summary>
    public static void Wait(IEnumerable<TransferJob> jobs)
    {
        TransferJob[] all = [.. jobs];
        Task.Run(() => Task.WhenAll(all.Select(job => job.DisposeAsync().AsTask()))).GetAwaiter().GetResult();
    }
}
