using Transfer.Diagnostics;
using Transfer.Journal;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>Decides whether, when and from where a file is tried again: within the file's attempts and the budget of the job.</summary>
/// <param name="job">The job.</param>
/// <param name="line">The line, which gives back the file's place among the open files.</param>
internal sealed class FileRetries(JobContext job, JobLine line)
{
    private readonly RetryBudget _budget = new(job.Pool.Retry.Budget);

    private RetryOptions Options => job.Pool.Retry;

    /// <summary>Takes a retry for a file with a replayable content; false when none is left.</summary>
    public bool TryTakeReplay(JobFile file) => file.Content.CanReplay && TryTakeRetry(file);

    /// <summary>Takes a retry for a file that needs no replay of content; false when none is left.</summary>
    public bool TryTakeRetry(JobFile file) => !job.IsLeftOut(file) && file.Attempts.Count < Options.Attempts && _budget.TryTake();

    /// <summary>Earns a retry for a file that has arrived.</summary>
    public void Earn() => _budget.Earn();

    /// <summary>Delays the next attempt, longer after each one.</summary>
    public void Delay(JobFile file) => Delay(file, file.Attempts.Count);

    /// <summary>Delays the next attempt from the second retry on: for the first retry, opening another session is delay enough.</summary>
    public void DelayAfterLoss(JobFile file)
    {
        if (file.Attempts.Count > 1) Delay(file, file.Attempts.Count - 1);
    }

    /// <summary>Prepares a file for the next attempt. Null: the file goes back into the line.</summary>
    /// <param name="file">The file.</param>
    /// <param name="reason">Why the last attempt failed; null: the attempt was not begun.</param>
    /// <param name="goesOn">Where the next attempt goes on; null: at the beginning.</param>
    /// <param name="goesOnAt">Where the next attempt goes on with a file that has grown, and comes in one piece.</param>
    /// <param name="anew">Whether the bytes of earlier attempts are of another file: none is continued.</param>
    public async ValueTask<FileEnd?> PrepareRetryAsync(JobFile file, TransferException? reason, Continuation? goesOn = null,
        long? goesOnAt = null, bool anew = false)
    {
        if (job.IsCanceled(file) || job.IsLeftOut(file)) return FileEnd.Canceled;
        // Where an attempt went on with a file that had grown, the bytes of both attempts are in one range, without a seam to compare.
        anew |= file.Attempts.ContinueAt is not null;
        // An attempt that was not begun changes no offset.
        if (reason is not null) file.Attempts.ContinueAt = goesOnAt;
        // A file that could not be put together of ranges comes in one piece, from the beginning.
        if (file.Attempts.ContinueAt is not null)
        {
            goesOn = null;
        }
        else if (!anew && file is { Kind: WorkKind.Download, MustStayWhole: false } && reason?.Error != TransferError.Unsupported
            && job.Pool.LastFeatures is { SegmentedDownloads: true } or { ContinuedDownloads: true })
        {
            goesOn = await file.Content.PauseAsync().ConfigureAwait(false);
        }
        else
        {
            await file.Content.ResetAsync().ConfigureAwait(false);
        }
        line.ReleasePlace(file);
        if (file.WasNameFree && reason is not null) file.HasPartialFile = true;
        // With a reason, an attempt has begun: the partial file of an earlier run is gone.
        if (reason is not null && file.Journaled is { } journaled) journaled.Continuation = goesOn;
        Log.Requeued(job.Logger, file.RemotePath, file.Attempts.Count, reason?.Message ?? "not begun");
        job.Owner.OnRequeued(file, reason);
        return null;
    }

    private void Delay(JobFile file, int attempts) => file.Attempts.RetryAfter = Options.DelayAfter(attempts, Random.Shared.NextDouble());
}
