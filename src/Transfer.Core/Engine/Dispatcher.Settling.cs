using Transfer.Diagnostics;
using Transfer.Engine.Journal;
using Transfer.Local;
using Transfer.Sessions;

namespace Transfer.Engine;

internal sealed partial class Dispatcher
{
    internal const int MaxReturns = 5;

    // Ends that are being worked at. Workers pause above that, so that a slow disk does not pile up open files.
    private const int MaxSettling = 128;

    private readonly Leftovers _leftovers;
    private readonly SemaphoreSlim _finishing = new(8);
    private int _settling;
    private int _retriesLeft;

    /// <summary>Waits until what lost sessions left behind at the server is deleted, as far as that can be done.</summary>
    public Task CleanUpAsync() => _leftovers.DrainAsync(_abort);

    /// <summary>Takes over an item that a session has completed. Returns at once.</summary>
    public void Settle(JobItem item, WorkOutcome outcome, WorkerSource run)
    {
        lock (_gate)
        {
            _settling++;
            ReleasedLocked(run);
        }
        _ = SettleAsync(item, outcome);
    }

    private async Task SettleAsync(JobItem item, WorkOutcome outcome)
    {
        var file = item.File;
        FileEnd? decision;
        try
        {
            decision = await DecideAsync(item, outcome).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            var error = e as TransferException ?? new TransferException(TransferError.Protocol, $"{file.RemotePath}: {e.Message}", e);
            decision = new FileEnd(null, error);
        }
        if (decision is { } end)
        {
            Owner.Moved((end.Result?.Bytes ?? 0) - item.Reported - Continued(item));
            await EndAsync(file, end).ConfigureAwait(false);
        }
        else
        {
            Owner.Moved(Kept(item) - item.Reported - Continued(item));
        }
        lock (_gate)
        {
            _settling--;
            if (decision is not null)
            {
                SettleLocked(-1);
                _scheduler.FileEndedLocked();
            }
            if (decision is { Result: not null }) _retriesLeft = Math.Min(_retriesLeft + 1, _pool.Retry.Budget);
            _scheduler.StartWorkersLocked();
            CheckCompletionLocked();
        }
        if (decision is null) await RequeueAsync(file).ConfigureAwait(false);
    }

    private async ValueTask RequeueAsync(JobFile file)
    {
        try
        {
            using var either = CancellationTokenSource.CreateLinkedTokenSource(_abort, file.Spec.Canceled, file.Segment is null ? _finish : default);
            if (file.Attempts.RetryAfter > TimeSpan.Zero) await Task.Delay(file.Attempts.RetryAfter, _time, either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // It is dropped now, or by whoever would take it.
        }
        file.Attempts.RetryAfter = TimeSpan.Zero;
        TransferException? dead;
        lock (_gate)
        {
            dead = _dead;
            if (dead is null && !_abort.IsCancellationRequested && !IsLeftOut(file))
            {
                _queue.AddFirst(file);
                LinedLocked(0);
                return;
            }
        }
        await DropAsync(file, dead).ConfigureAwait(false);
    }

    // Null: the file is to be put in line again.
    private async ValueTask<FileEnd?> DecideAsync(JobItem item, WorkOutcome outcome)
    {
        var file = item.File;
        if (outcome is WorkOutcome.Done { LosesMode: true }) LosesMode(file);
        if (item.Unpublished is { } unpublished && outcome is not (WorkOutcome.Done or WorkOutcome.Untouched or WorkOutcome.InDoubt { Moved: not null })) _leftovers.Add(unpublished);
        switch (outcome)
        {
            case WorkOutcome.Done done when item.Hash is { } hash:
                return await CheckHashAsync(item, done, hash).ConfigureAwait(false);
            case WorkOutcome.Done done when file.Segment is not null:
                return await EndOfSegmentAsync(item, done).ConfigureAwait(false);
            case WorkOutcome.Done { IsUnseen: true } done:
                return await EndOfUnseenAsync(item, done).ConfigureAwait(false);
            case WorkOutcome.Done done when item is { Unpublished: { } whole, File.Segment: null }:
                return await PublishLaterAsync(item, done, whole).ConfigureAwait(false);
            case WorkOutcome.Done done:
                file.Attempts.Source = done.Source;
                done = await CompareToldAsync(item, done with { Bytes = done.Bytes + Continued(item) }).ConfigureAwait(false);
                return await FinishAsync(file, done).ConfigureAwait(false);
            case WorkOutcome.Failed { Arrived: { } arrived } when file.Verify != VerificationMode.Hash && await IsLengthNowAsync(item.Path, arrived).ConfigureAwait(false):
                return await FinishAsync(file, new WorkOutcome.Done(arrived - file.Spec.Offset, VerificationMode.Size)).ConfigureAwait(false);
            case WorkOutcome.Failed { Exceeded: { } told } exceeded:
                return await EndOfExceededAsync(item, told, exceeded.Error).ConfigureAwait(false);
            case WorkOutcome.Failed { Error: { NeedsDirectPublish: true } error }:
                return await WithoutRenameAsync(file, error).ConfigureAwait(false);
            // All of it was there, and would be again: it can't be renamed out of that folder.
            case WorkOutcome.Failed { Publishing: true } failed when file.Spec.TemporaryFolder is { } temporaries:
                if (failed.MayLeaveTemporary && item.TemporaryPath is { } unnamed) _leftovers.Add(unnamed);
                return EndWith(file, TemporaryFolder.Explain(failed.Error, temporaries));
            case WorkOutcome.Failed { Error.Error: TransferError.NotFound or TransferError.Denied or TransferError.Protocol or TransferError.Unsupported } when file.Folder is { } folder && !IsCanceled(file):
                file.Folder = null;
                return await FindFolderAsync(file, folder).ConfigureAwait(false);
            case WorkOutcome.Failed failed:
                if (failed.MayLeaveTemporary && item is { IsSegment: false, TemporaryPath: { } temporary }) _leftovers.Add(temporary);
                // What may pass the next time (no port for the data connection, the connection cut) is tried again, as after a lost session.
                if (!failed.Error.IsTransient || !MayTryAgain(file)) return failed.MayLeavePart ? await EndWithPartAsync(file, failed.Error).ConfigureAwait(false) : EndWith(file, failed.Error);
                file.Attempts.RetryAfter = _pool.Retry.DelayAfter(file.Attempts.Count, Random.Shared.NextDouble());
                return await AgainAsync(file, failed.Error).ConfigureAwait(false);
            case WorkOutcome.Untouched:
            case WorkOutcome.InDoubt when item.IsGivenUp:
                file.Attempts.Count--;
                if (++file.Attempts.Returns > MaxReturns)
                    return EndWith(file, new TransferConnectionException(TransferError.Lost, $"{file.RemotePath}: no session came to it."));
                if (await AgainAsync(file, (outcome as WorkOutcome.InDoubt)?.Error).ConfigureAwait(false) is { } over) return over;
                if (item.IsGivenUp) DivideAmongIdle(file);
                return null;
            case WorkOutcome.InDoubt { Publishing: true, Error: var error } when item is { IsSegment: false, TemporaryPath: not null } && !IsCanceled(file):
                return await ResolveAsync(item).ConfigureAwait(false) is { } resolved
                    ? await FinishAsync(file, resolved).ConfigureAwait(false)
                    : await RetryAsync(item, error).ConfigureAwait(false);
            case WorkOutcome.InDoubt { Publishing: false, Moved: { } moved } doubt:
                return await ResolveMovedAsync(item, moved, doubt.Error).ConfigureAwait(false);
            case WorkOutcome.InDoubt doubt:
                return await RetryAsync(item, doubt.Error).ConfigureAwait(false);
            default:
                throw new InvalidOperationException($"Unknown outcome {outcome}.");
        }
    }

    // It failed perhaps for want of its folder, which it was sent to in the hope that it is there.
    private async ValueTask<FileEnd?> FindFolderAsync(JobFile file, string folder)
    {
        try
        {
            await EnsureAsync(folder, _abort).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            return EndWith(file, e);
        }
        file.Attempts.Count--;
        return await AgainAsync(file, null).ConfigureAwait(false);
    }

    // What was moved before of an upload that goes on in one piece, or of a download that has grown.
    private static long Continued(JobItem item) => item.IsSegment ? 0 : item.Kind == WorkKind.Upload ? item.Offset : item.Offset - item.File.Spec.Offset;

    private async ValueTask<FileEnd> FinishAsync(JobFile file, WorkOutcome.Done done)
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
                Verified = done.Verified,
                Attempts = file.Attempts.Count,
                Elapsed = _time.GetElapsedTime(file.Attempts.Started ?? _time.GetTimestamp()),
            },
            null);
    }

    private async ValueTask<FileEnd?> RetryAsync(JobItem item, TransferException error)
    {
        var file = item.File;
        // The server may come to it yet, and would cut off what others have written by then.
        var isSentOnce = file.Segment is { IsBeginning: true };
        var end = IsCanceled(file) ? FileEnd.Canceled : !isSentOnce && MayTryAgain(file) ? (FileEnd?)null : EndWith(file, error);
        var goesOn = end is null && item is { IsSegment: false, Kind: WorkKind.Upload, TemporaryPath: { } begun, File.Undivided: false } && _pool.LastFeatures is { SegmentedUploads: true }
            ? file.Journaled?.AfterConfirmed(begun)
            : null;
        if (item is { IsSegment: false, TemporaryPath: { } temporary } && goesOn is null && !(end is { } last && IsKept(file, last))) _leftovers.Add(temporary);
        if (end is { Error: not null } && file is { Kind: WorkKind.Upload, Publish: PublishMode.Direct }) return await EndWithPartAsync(file, error).ConfigureAwait(false);
        if (end is not null) return end;
        // The first time, opening another session is wait enough.
        if (file.Attempts.Count > 1) file.Attempts.RetryAfter = _pool.Retry.DelayAfter(file.Attempts.Count - 1, Random.Shared.NextDouble());
        return await AgainAsync(file, error, goesOn).ConfigureAwait(false);
    }

    private bool MayTryAgain(JobFile file) => file.Content.CanReplay && MayTryMore(file);

    private bool MayTryMore(JobFile file)
    {
        if (IsLeftOut(file) || file.Attempts.Count >= _pool.Retry.Attempts) return false;
        lock (_gate)
        {
            if (_retriesLeft == 0) return false;
            _retriesLeft--;
            return true;
        }
    }

    private async ValueTask<FileEnd?> AgainAsync(JobFile file, TransferException? reason, Continuation? goesOn = null, long? goesOnAt = null)
    {
        if (IsCanceled(file) || IsLeftOut(file)) return FileEnd.Canceled;
        // What was not begun is where it was.
        if (reason is not null) file.Attempts.GoesOnAt = goesOnAt;
        // What could not be put together of ranges comes in one piece, from its beginning.
        if (file.Attempts.GoesOnAt is not null) goesOn = null;
        else if (file is { Kind: WorkKind.Download, Undivided: false } && _pool.LastFeatures is { SegmentedDownloads: true }) goesOn = await file.Content.PauseAsync().ConfigureAwait(false);
        else await file.Content.ResetAsync().ConfigureAwait(false);
        LetGo(file);
        if (file.IsNewByItself && reason is not null) file.HasPart = true;
        // Without a reason nothing was begun. Else what there was of an earlier run is gone.
        if (reason is not null && file.Journaled is { } journaled) journaled.Continuation = goesOn;
        Log.Requeued(_logger, file.RemotePath, file.Attempts.Count, reason?.Message ?? "not begun");
        Owner.Requeued(file, reason);
        return null;
    }

    private FileEnd EndWith(JobFile file, TransferException error)
    {
        Owner.Keeps(file.RemotePath, error.Kept);
        if (IsCanceled(file)) return FileEnd.Canceled;
        // It appeared between the look and the rename.
        if (file.Spec.Overwrite == OverwriteMode.Skip && error.Error == TransferError.Exists)
            return new FileEnd(new TransferResult { Skipped = true, Attempts = file.Attempts.Count }, null);
        return new FileEnd(null, error);
    }

    // For files that no session has, or that none will get.
    private async Task DropAsync(JobFile file, TransferException? error)
    {
        await EndAsync(file, IsCanceled(file) || error is null ? FileEnd.Canceled : new FileEnd(null, error)).ConfigureAwait(false);
        lock (_gate)
        {
            SettleLocked(-1);
            _scheduler.StartWorkersLocked();
            CheckCompletionLocked();
        }
    }

    // What kept it from being opened may pass.
    private async Task AgainLaterAsync(JobFile file, TransferException error)
    {
        file.Attempts.RetryAfter = _pool.Retry.DelayAfter(file.Attempts.Count, Random.Shared.NextDouble());
        if (await AgainAsync(file, error).ConfigureAwait(false) is null) await RequeueAsync(file).ConfigureAwait(false);
        else await DropAsync(file, error).ConfigureAwait(false);
    }

    private async ValueTask EndAsync(JobFile file, FileEnd end)
    {
        if (file.Segment is not null)
        {
            await EndSegmentAsync(file, end).ConfigureAwait(false);
            return;
        }
        if (end.Result is null) await AbandonAsync(file, end).ConfigureAwait(false);
        LetGo(file);
        file.Ended();
        Owner.Ended(file, end);
    }

    // What another run of the job can go on with: it was not the file's own fault.
    private static bool IsKept(JobFile file, FileEnd end) => end.Result is null && file is { Journaled.MayContinue: true, Publish: PublishMode.Rename } && end.Error is null or { IsTransient: true };

    private async ValueTask AbandonAsync(JobFile file, FileEnd end)
    {
        try
        {
            if (IsKept(file, end)) await file.Content.KeepAsync(end.Error).ConfigureAwait(false);
            else await file.Content.AbandonAsync(end.Error).ConfigureAwait(false);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            Log.LocalLeftover(_logger, file.Name, e.Message);
        }
    }

    // It does not begin, nor begin again, any more. The rest of one that is under way is another thing.
    private bool IsLeftOut(JobFile file) => _finish.IsCancellationRequested && file.Segment is null;

    private bool IsCanceled(JobFile file) => _abort.IsCancellationRequested || file.Spec.Canceled.IsCancellationRequested;
}
