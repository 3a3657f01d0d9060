using Transfer.Diagnostics;
using Transfer.Journal;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>Whether a file is tried again, when, and from where: within its own attempts and the budget of its job.</summary>
/// <param name="job">The job.</param>
/// <param name="line">Has the file's place among those that are open.</param>
internal sealed class FileRetries(JobContext job, JobLine line)
{
    private readonly RetryBudget _budget = new(job.Pool.Retry.Budget);

    private RetryOptions Options => job.Pool.Retry;

    /// <summary>A file whose content can be had again has an attempt left, which is taken.</summary>
    public bool MayTryAgain(JobFile file) => file.Content.CanReplay && MayTryMore(file);

    /// <summary>The same for one whose content need not be had again.</summary>
    public bool MayTryMore(JobFile file) => !job.IsLeftOut(file) && file.Attempts.Count < Options.Attempts && _budget.TryTake();

    /// <summary>A file has arrived: that earns a retry.</summary>
    public void Earn() => _budget.Earn();

    /// <summary>The next attempt waits, longer after each one.</summary>
    public void Delay(JobFile file) => Delay(file, file.Attempts.Count);

    /// <summary>The next attempt waits from the second retry on: the first time, opening another session is wait enough.</summary>
    public void DelayAfterLoss(JobFile file)
    {
        if (file.Attempts.Count > 1) Delay(file, file.Attempts.Count - 1);
    }

    /// <summary>Gets a file ready for its next attempt. Null: it goes back into the line.</summary>
    /// <param name="file">The file.</param>
    /// <param name="reason">Why the last attempt failed; null: it was not begun.</param>
    /// <param name="goesOn">Where the next one goes on; null: it begins anew.</param>
    /// <param name="goesOnAt">The same for a file that has grown, and comes in one piece.</param>
    public async ValueTask<FileEnd?> AgainAsync(JobFile file, TransferException? reason, Continuation? goesOn = null, long? goesOnAt = null)
    {
        if (job.IsCanceled(file) || job.IsLeftOut(file)) return FileEnd.Canceled;
        // What was not begun is where it was.
        if (reason is not null) file.Attempts.GoesOnAt = goesOnAt;
        // What could not be put together of ranges comes in one piece, from its beginning.
        if (file.Attempts.GoesOnAt is not null) goesOn = null;
        else if (file is { Kind: WorkKind.Download, Undivided: false } && job.Pool.LastFeatures is { SegmentedDownloads: true }) goesOn = await file.Content.PauseAsync().ConfigureAwait(false);
        else await file.Content.ResetAsync().ConfigureAwait(false);
        line.LetGo(file);
        if (file.IsNewByItself && reason is not null) file.HasPart = true;
        // Without a reason nothing was begun. Else what there was of an earlier run is gone.
        if (reason is not null && file.Journaled is { } journaled) journaled.Continuation = goesOn;
        Log.Requeued(job.Logger, file.RemotePath, file.Attempts.Count, reason?.Message ?? "not begun");
        job.Owner.Requeued(file, reason);
        return null;
    }

    private void Delay(JobFile file, int attempts) => file.Attempts.RetryAfter = Options.DelayAfter(attempts, Random.Shared.NextDouble());
}
