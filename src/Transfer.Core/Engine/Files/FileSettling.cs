using Transfer.Engine.Segments;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>
/// Settles files that no session has any more: each goes back into the line, or ends, which is reported to the job's owner
/// exactly once.
/// </summary>
/// <param name="job">The job.</param>
/// <param name="standing">The reason when no session can be had.</param>
/// <param name="line">The line where files wait and are counted.</param>
/// <param name="verdict">Decides.</param>
/// <param name="retries">Prepares files for another attempt.</param>
/// <param name="finisher">Ends files at their contents.</param>
/// <param name="segmentEnds">Ends the parts of large files.</param>
internal sealed class FileSettling(
    JobContext job, JobStanding standing, JobLine line, ItemVerdict verdict, FileRetries retries, FileFinisher finisher,
    SegmentEnds segmentEnds)
{
    /// <summary>Settles an item that a session has completed; the job counts the item as being settled.</summary>
    public async Task SettleAsync(JobItem item, WorkOutcome outcome)
    {
        var file = item.File;
        FileEnd? decision;
        try
        {
            decision = await verdict.DecideAsync(item, outcome).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            var error = e as TransferException ?? new TransferException(TransferError.Protocol, $"{file.RemotePath}: {e.Message}", e);
            decision = finisher.Failed(file, error);
        }
        var counted = item.Reported + ItemVerdict.Continued(item);
        if (decision is { } end)
        {
            job.Owner.OnBytesMoved((end.Result?.Bytes ?? 0) - counted);
            await EndAsync(file, end).ConfigureAwait(false);
            if (end.Result is not null) retries.Earn();
        }
        else
        {
            job.Owner.OnBytesMoved(SegmentEnds.Kept(item) - counted);
        }
        line.Settled(hasEnded: decision is not null);
        if (decision is null) await RequeueAsync(file).ConfigureAwait(false);
    }

    /// <summary>Ends a file that no session has, or will get.</summary>
    /// <param name="file">The file.</param>
    /// <param name="error">The reason; null: the file is left out.</param>
    public async Task DropAsync(JobFile file, TransferException? error)
    {
        await EndAsync(file, job.IsCanceled(file) || error is null ? FileEnd.Canceled : new FileEnd(null, error)).ConfigureAwait(false);
        line.Dropped();
    }

    /// <summary>Settles a file that could not be opened for an attempt.</summary>
    /// <param name="file">The file.</param>
    /// <param name="error">The reason. A file with a transient error is tried again later.</param>
    public async Task NotOpenedAsync(JobFile file, TransferException error)
    {
        if (!error.IsTransient || !retries.TryTakeReplay(file))
        {
            await DropAsync(file, error).ConfigureAwait(false);
            return;
        }
        retries.Delay(file);
        if (await retries.PrepareRetryAsync(file, error).ConfigureAwait(false) is null) await RequeueAsync(file).ConfigureAwait(false);
        else await DropAsync(file, error).ConfigureAwait(false);
    }

    /// <summary>Settles a file that can't be renamed in the folder, before content is sent under a temporary name.</summary>
    public async Task WithoutRenameAsync(JobFile file, TransferException why)
    {
        FileEnd? end;
        try
        {
            end = await verdict.WithoutRenameAsync(file, why).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            end = FileEnd.Canceled;
        }
        if (end is not { } ended)
        {
            await RequeueAsync(file).ConfigureAwait(false);
            return;
        }
        await EndAsync(file, ended).ConfigureAwait(false);
        line.Dropped();
    }

    private async ValueTask RequeueAsync(JobFile file)
    {
        var attempts = file.Attempts;
        try
        {
            using var either = CancellationTokenSource.CreateLinkedTokenSource(job.Abort, file.Spec.Canceled,
                file.Segment is null ? job.Finish : default);
            if (attempts.RetryAfter > TimeSpan.Zero) await Task.Delay(attempts.RetryAfter, job.Time, either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The file is dropped now, or by the session that would take it.
        }
        attempts.RetryAfter = TimeSpan.Zero;
        if (!line.TryPutBack(file)) await DropAsync(file, standing.NoSessionError).ConfigureAwait(false);
    }

    private async ValueTask EndAsync(JobFile file, FileEnd end)
    {
        if (file.Segment is null)
        {
            await EndWholeAsync(file, end).ConfigureAwait(false);
            return;
        }
        if (await segmentEnds.EndPartAsync(file, end).ConfigureAwait(false) is not var (whole, last)) return;
        await EndWholeAsync(whole, last).ConfigureAwait(false);
        line.WholeEnded();
    }

    private async ValueTask EndWholeAsync(JobFile file, FileEnd end)
    {
        // A file that is skipped at its publishing has a content, too: a partial file here, an open source.
        if (end.Result is not { Skipped: false }) await finisher.AbandonAsync(file, end).ConfigureAwait(false);
        line.ReleasePlace(file);
        file.Ended();
        job.Owner.OnEnded(file, end);
    }
}
