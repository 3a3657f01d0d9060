using Transfer.Diagnostics;
using Transfer.Local;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>Ends files at their contents: finished where all has arrived, else kept for another run, or abandoned.</summary>
/// <param name="job">The job.</param>
internal sealed class FileFinisher(JobContext job) : IDisposable
{
    private readonly SemaphoreSlim _finishing = new(8);

    /// <summary>Finishes a complete file under the final name.</summary>
    /// <exception cref="TransferException">The content could not be finished.</exception>
    public async ValueTask<FileEnd> FinishAsync(JobFile file, WorkOutcome.Done done)
    {
        if (file.Spec.WantsTime && done.Source?.Modified is { } modified) file.Content.SetModified(modified);
        if (!file.Content.FinishBlocks)
        {
            await file.Content.FinishAsync(done.Bytes).ConfigureAwait(false);
        }
        else
        {
            await _finishing.WaitAsync(CancellationToken.None).ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
            try
            {
                await file.Content.FinishAsync(done.Bytes).ConfigureAwait(false);
            }
            finally
            {
                _finishing.Release();
            }
        }
        return new FileEnd(
            new TransferResult
            {
                Bytes = done.Bytes,
                ResumedAt = file.ResumedAt,
                Verified = done.Verified,
                Attempts = file.Attempts.Count,
                Elapsed = job.Time.GetElapsedTime(file.Attempts.Started ?? job.Time.GetTimestamp()),
            },
            null);
    }

    /// <summary>Returns the end of a file that failed: cancelled when the job was given up, else the error.</summary>
    public FileEnd Failed(JobFile file, TransferException error)
    {
        job.Owner.KeepFiles(file.RemotePath, error.Kept);
        if (job.IsCanceled(file)) return FileEnd.Canceled;
        // The target appeared between the look and the rename.
        if (file.Spec.Overwrite == OverwriteMode.Skip && error.Error == TransferError.Exists)
            return new FileEnd(new TransferResult { Skipped = true, Attempts = file.Attempts.Count }, null);
        return new FileEnd(null, error);
    }

    /// <summary>Whether another run of the job can go on with the partial file: the failure was not the file's own.</summary>
    public static bool IsKept(JobFile file, FileEnd end) =>
        end.Result is null && file is { Journaled.MayContinue: true, Publish: PublishMode.Rename }
        && end.Error is null or { IsTransient: true };

    /// <summary>Ends a file that has not arrived.</summary>
    public async ValueTask AbandonAsync(JobFile file, FileEnd end)
    {
        try
        {
            if (IsKept(file, end)) await file.Content.KeepAsync(end.Error).ConfigureAwait(false);
            else await file.Content.AbandonAsync(end.Error).ConfigureAwait(false);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            Log.LocalLeftover(job.Logger, file.Name, e.Message);
        }
    }

    public void Dispose() => _finishing.Dispose();
}
