using Transfer.Contents;
using Transfer.Diagnostics;
using Transfer.Engine.Segments;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>Decides after each attempt of a session whether the file ends or gets another attempt.</summary>
internal sealed class ItemVerdict
{
    internal const int MaxReturns = 5;

    private readonly JobContext _job;
    private readonly JobSegments _segments;
    private readonly SegmentEnds _segmentEnds;
    private readonly FileRetries _retries;
    private readonly FileFinisher _finisher;
    private readonly FilePublisher _publisher;
    private readonly RemoteLook _look;
    private readonly SourceCheck _sources;
    private readonly HashCheck _hashes;
    private readonly DirectPublishing _direct;

    /// <param name="job">The job.</param>
    /// <param name="segments">The large files of the job.</param>
    /// <param name="segmentEnds">Ends the parts of large files.</param>
    /// <param name="retries">Decides whether a file is tried again.</param>
    /// <param name="finisher">Ends whole files.</param>
    /// <param name="publisher">Publishes files.</param>
    /// <param name="look">Looks at files at the server.</param>
    /// <param name="sources">Compares bytes received with the present ones.</param>
    /// <param name="hashes">Compares hashes.</param>
    /// <param name="direct">Sends files under their own names into folders without renames.</param>
    public ItemVerdict(
        JobContext job, JobSegments segments, SegmentEnds segmentEnds, FileRetries retries, FileFinisher finisher, FilePublisher publisher,
        RemoteLook look, SourceCheck sources, HashCheck hashes, DirectPublishing direct)
    {
        (_job, _segments, _segmentEnds, _retries, _finisher) = (job, segments, segmentEnds, retries, finisher);
        (_publisher, _look, _sources, _hashes, _direct) = (publisher, look, sources, hashes, direct);
    }

    /// <summary>The bytes moved earlier of an upload that goes on in one piece, or of a download that has grown.</summary>
    public static long Continued(JobItem item) =>
        item.IsSegment ? 0 : item.Kind == WorkKind.Upload ? item.Offset : item.Offset - item.File.Spec.Offset;

    /// <summary>Returns the end of the file; null when the file is to be put in line again.</summary>
    /// <param name="item">The attempt.</param>
    /// <param name="outcome">The outcome that the session reported.</param>
    public async ValueTask<FileEnd?> DecideAsync(JobItem item, WorkOutcome outcome)
    {
        var file = item.File;
        if (outcome is WorkOutcome.Done { LosesMode: true }) _publisher.LogModeLost(file);
        if (item.Unpublished is { } unpublished
            && outcome is not (WorkOutcome.Done or WorkOutcome.Untouched or WorkOutcome.InDoubt { Moved: not null }))
        {
            _job.Leftovers.Add(unpublished);
        }

        return outcome switch
        {
            WorkOutcome.Done done => await EndOfDoneAsync(item, done).ConfigureAwait(false),
            WorkOutcome.Failed failed => await EndOfFailedAsync(item, failed).ConfigureAwait(false),
            WorkOutcome.Untouched untouched => await ReturnedAsync(item, begun: null, untouched.Reason).ConfigureAwait(false),
            WorkOutcome.InDoubt doubt when item.IsGivenUp => await ReturnedAsync(item, doubt.Error, doubt.Error).ConfigureAwait(false),
            WorkOutcome.InDoubt doubt => await EndOfDoubtAsync(item, doubt).ConfigureAwait(false),
            _ => throw new InvalidOperationException($"Unknown outcome {outcome}."),
        };
    }

    /// <summary>
    /// Sends a file of a folder without renames under the final name, where that is certain to be free. Null: the file is to be put in line
    /// again.
    /// </summary>
    public async ValueTask<FileEnd?> WithoutRenameAsync(JobFile file, TransferException error)
    {
        _direct.MarkWithoutRename(file, error);
        if (_job.IsCanceled(file) || _job.IsLeftOut(file)) return FileEnd.Canceled;
        if (await _direct.TrySwitchAsync(file, error).ConfigureAwait(false) is { } why) return _finisher.Failed(file, why);
        if (await _retries.PrepareRetryAsync(file, error).ConfigureAwait(false) is { } end) return end;
        file.WasNameFree = true;
        return null;
    }

    private async ValueTask<FileEnd?> EndOfDoneAsync(JobItem item, WorkOutcome.Done done)
    {
        var file = item.File;
        if (item.Hash is { } hash) return await CheckHashAsync(item, done, hash).ConfigureAwait(false);
        if (file.Segment is not null) return await EndOfPartAsync(item, done).ConfigureAwait(false);
        if (done.IsUnseen) return await EndOfUnseenAsync(item, done).ConfigureAwait(false);
        if (item.Unpublished is { } whole) return await PublishLaterAsync(item, done, whole).ConfigureAwait(false);
        file.Attempts.Source = done.Source;
        if (await WhyChangedAsync(item, done).ConfigureAwait(false) is { } changed)
            return await BeginAnewAsync(file, changed).ConfigureAwait(false);
        done = await _look.CompareListedLengthAsync(item, done with { Bytes = done.Bytes + Continued(item) }).ConfigureAwait(false);
        return await _finisher.FinishAsync(file, done).ConfigureAwait(false);
    }

    private async ValueTask<FileEnd?> EndOfFailedAsync(JobItem item, WorkOutcome.Failed failed)
    {
        var (file, error) = (item.File, failed.Error);
        if (failed.Arrived is not null && error.IsTransient) return await BeginAnewAsync(file, error).ConfigureAwait(false);
        if (failed.Arrived is { } arrived && await _look.IsLengthNowAsync(item.Path, arrived).ConfigureAwait(false))
            return await EndOfArrivedAsync(item, arrived).ConfigureAwait(false);

        if (failed.Exceeded is { } told) return await EndOfExceededAsync(item, told, error).ConfigureAwait(false);
        if (error.NeedsDirectPublish) return await WithoutRenameAsync(file, error).ConfigureAwait(false);
        // All bytes were there, and a retry would not help: the file can't be renamed out of that folder.
        if (failed.Publishing && file.Spec.TemporaryFolder is { } temporaries)
        {
            if (failed.MayLeaveTemporary && item.TemporaryPath is { } unnamed) _job.Leftovers.Add(unnamed);
            return _finisher.Failed(file, TemporaryFolderError.Explain(error, temporaries));
        }
        // Behind a replacement that left content under other names the folder is no question, and a second try would hide those names.
        if (error.Kept.Count == 0
            && error.Error is TransferError.NotFound or TransferError.Denied or TransferError.Protocol or TransferError.Unsupported
            && file.Folder is { } folder && !_job.IsCanceled(file))
        {
            file.Folder = null;
            return await FindFolderAsync(file, folder).ConfigureAwait(false);
        }
        if (failed.MayLeaveTemporary && item is { IsSegment: false, TemporaryPath: { } temporary }) _job.Leftovers.Add(temporary);
        // Transient errors (no port for the data connection, the connection cut) lead to a retry, as after a lost session.
        if (!error.IsTransient || !_retries.TryTakeReplay(file))
            return failed.MayLeavePart ? await EndWithPartAsync(file, error).ConfigureAwait(false) : _finisher.Failed(file, error);
        _retries.Delay(file);
        return await _retries.PrepareRetryAsync(file, error).ConfigureAwait(false);
    }

    private async ValueTask<FileEnd?> EndOfDoubtAsync(JobItem item, WorkOutcome.InDoubt doubt)
    {
        var file = item.File;
        if (doubt.Publishing && item is { IsSegment: false, TemporaryPath: not null } && !_job.IsCanceled(file))
        {
            try
            {
                return await _publisher.ResolveAsync(item).ConfigureAwait(false) is { } resolved
                    ? await _finisher.FinishAsync(file, resolved).ConfigureAwait(false)
                    : await RetryAsync(item, doubt.Error).ConfigureAwait(false);
            }
            catch (TransferException e) when (e.NeedsDirectPublish)
            {
                return await WithoutRenameAsync(file, e).ConfigureAwait(false);
            }
        }
        if (doubt is { Publishing: false, Moved: { } moved }) return await EndOfMovedAsync(item, moved, doubt.Error).ConfigureAwait(false);
        return await RetryAsync(item, doubt.Error).ConfigureAwait(false);
    }

    // No session has moved anything of the file, or one was given up over the file: not the file's fault.
    private async ValueTask<FileEnd?> ReturnedAsync(JobItem item, TransferException? begun, TransferException? reason)
    {
        var file = item.File;
        file.Attempts.Count--;
        if (++file.Attempts.ReturnCount > MaxReturns)
        {
            var because = reason is null ? "." : $": {reason.Message}";
            return _finisher.Failed(file,
                new TransferConnectionException(reason?.Error ?? TransferError.Lost,
                    $"{file.RemotePath}: no session moved anything of the file{because}", reason));
        }

        if (await _retries.PrepareRetryAsync(file, begun).ConfigureAwait(false) is { } over) return over;
        if (item.IsGivenUp) _segments.DivideAmongIdle(file);
        return null;
    }

    private async ValueTask<FileEnd?> EndOfPartAsync(JobItem item, WorkOutcome.Done done)
    {
        try
        {
            return await _segmentEnds.FinishPartAsync(item, done).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            return await DecideAsync(item, new WorkOutcome.Failed(e)).ConfigureAwait(false);
        }
    }

    // The missing folder may be the cause: the file was sent in the hope that the folder exists.
    private async ValueTask<FileEnd?> FindFolderAsync(JobFile file, string folder)
    {
        try
        {
            await _job.EnsureAsync(folder, _job.Abort).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            return _finisher.Failed(file, e);
        }
        file.Attempts.Count--;
        return await _retries.PrepareRetryAsync(file, null).ConfigureAwait(false);
    }

    private async ValueTask<FileEnd?> RetryAsync(JobItem item, TransferException error)
    {
        var file = item.File;
        // The server may still process the first request, which would truncate the bytes that other sessions have written by then.
        var isSentOnce = file.Segment is { IsBeginning: true };
        var end = _job.IsCanceled(file) ? FileEnd.Canceled : !isSentOnce && _retries.TryTakeReplay(file) ? (FileEnd?)null
            : _finisher.Failed(file, error);
        var goesOn = end is null && item is { IsSegment: false, Kind: WorkKind.Upload, TemporaryPath: { } begun, File.MustStayWhole: false }
            && _job.Pool.LastFeatures is { SegmentedUploads: true }
            ? file.Journaled?.AfterConfirmed(begun)
            : null;
        if (item is { IsSegment: false, TemporaryPath: { } temporary } && goesOn is null
            && !(end is { } last && FileFinisher.IsKept(file, last)))
        {
            _job.Leftovers.Add(temporary);
        }

        if (end is { Error: not null } && file is { Kind: WorkKind.Upload, Publish: PublishMode.Direct })
            return await EndWithPartAsync(file, error).ConfigureAwait(false);
        if (end is not null) return end;
        _retries.DelayAfterLoss(file);
        return await _retries.PrepareRetryAsync(file, error, goesOn).ConfigureAwait(false);
    }

    private async ValueTask<FileEnd?> EndOfMovedAsync(JobItem item, long moved, TransferException error)
    {
        var file = item.File;
        Log.InDoubt(_job.Logger, item.Path, error.Message);
        if (await _look.WhyInDoubtAsync(item, moved).ConfigureAwait(false) is { } why)
        {
            if (item.Unpublished is { } unpublished) _job.Leftovers.Add(unpublished);
            var end = await RetryAsync(item, error).ConfigureAwait(false);
            // Another attempt decides.
            if (end is null) Log.NotArrived(_job.Logger, item.Path, why);
            else if (!_job.IsCanceled(file)) Log.StillInDoubt(_job.Logger, item.Path, why);
            return end;
        }
        Log.NoLongerInDoubt(_job.Logger, item.Path, error.Message);
        var done = new WorkOutcome.Done(moved, file.Segment is null ? VerificationMode.Size : VerificationMode.Reply);
        if (file.Segment is not null) return await EndOfPartAsync(item, done).ConfigureAwait(false);
        if (item.Hash is { } hash) return await CheckHashAsync(item, done, hash).ConfigureAwait(false);
        if (await WhyChangedAsync(item, done).ConfigureAwait(false) is { } changed)
            return await BeginAnewAsync(file, changed).ConfigureAwait(false);
        if (file is { Kind: WorkKind.Upload, Publish: PublishMode.Direct, Spec.Metadata: { } metadata })
            await _publisher.SetAsync(item.Path, metadata).ConfigureAwait(false);
        return await EndOfWholeAsync(item, moved + Continued(item), VerificationMode.Size).ConfigureAwait(false);
    }

    // The file is complete, under the name under which it was written.
    private async ValueTask<FileEnd?> EndOfWholeAsync(JobItem item, long whole, VerificationMode verified)
    {
        var (file, unnamed) = (item.File, item.TemporaryPath ?? item.Unpublished);
        try
        {
            if (unnamed is { } temporary)
                await _publisher.PublishAsync(file, temporary, whole, VerificationMode.Size).ConfigureAwait(false);
            return await _finisher.FinishAsync(file, new WorkOutcome.Done(whole, verified)).ConfigureAwait(false);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            return await NotPublishedAsync(file, unnamed, publishing: true, e).ConfigureAwait(false);
        }
    }

    private async ValueTask<FileEnd?> EndOfUnseenAsync(JobItem item, WorkOutcome.Done done)
    {
        var whole = done.Bytes + Continued(item);
        try
        {
            var verified = await _look.CheckUploadAsync(item, whole).ConfigureAwait(false);
            var end = await EndOfWholeAsync(item, whole, verified ?? VerificationMode.Reply).ConfigureAwait(false);
            return end is { } ended ? ended with { IsUnseen = verified is null } : null;
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            return await NotPublishedAsync(item.File, item.TemporaryPath ?? item.Unpublished, publishing: false, e).ConfigureAwait(false);
        }
    }

    // The file was longer when it was opened, so its first bytes may be of another state than its last. It counts when it was seen to have
    // this length before the attempt, too: some servers report another one in front of a transfer.
    private async ValueTask<FileEnd?> EndOfArrivedAsync(JobItem item, long arrived)
    {
        var file = item.File;
        var done = new WorkOutcome.Done(arrived - file.Spec.Offset, VerificationMode.Size);
        var isWhole = file.Attempts.SeenLength == arrived
            || !file.Content.CanReplay && await WhyChangedAsync(file, arrived).ConfigureAwait(false) is null;
        if (isWhole && file.Verify != VerificationMode.Hash) return await _finisher.FinishAsync(file, done).ConfigureAwait(false);
        file.Attempts.SeenLength = arrived;
        return await BeginAnewAsync(file, Changed(file, arrived)).ConfigureAwait(false);
    }

    // More bytes came than the file's length. A file that has grown goes on at the old end, up to the new length; a server that just does
    // not stop fails the file.
    private async ValueTask<FileEnd?> EndOfExceededAsync(JobItem item, long told, TransferException error)
    {
        var file = item.File;
        if (await _look.LengthNowAsync(item.Path).ConfigureAwait(false) is not { } now || now <= told) return _finisher.Failed(file, error);
        var how = $"{file.RemotePath} grows while it is read: it had {told} bytes, and has {now} now.";
        var grown = new TransferException(TransferError.Integrity, how) { RemotePath = file.RemotePath, IsTransient = true };
        var goesOn = file is { Verify: not VerificationMode.Hash, Segment: null, Spec.ReadFor: null }
            && await EndsAlikeAsync(file, told).ConfigureAwait(false);
        file.Attempts.SeenLength = now;
        if (!goesOn) return await BeginAnewAsync(file, grown).ConfigureAwait(false);
        if (!_retries.TryTakeRetry(file)) return _finisher.Failed(file, grown);
        _retries.Delay(file);
        return await _retries.PrepareRetryAsync(file, grown, goesOnAt: told).ConfigureAwait(false);
    }

    // Another file may have taken the place of the one that has grown: its bytes must not follow those of the old one.
    private async ValueTask<bool> EndsAlikeAsync(JobFile file, long end)
    {
        try
        {
            return await _sources.EndsAlikeAsync(file, end).ConfigureAwait(false);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            return false;
        }
    }

    // A file may have been replaced where a download went on (behind the comparison before, too), and rewritten where its length is
    // another one than before. Null: all bytes are of one file, as far as length and time have told.
    private ValueTask<TransferException?> WhyChangedAsync(JobItem item, WorkOutcome.Done done)
    {
        var (file, end) = (item.File, item.Offset + done.Bytes);
        if (file is not { Kind: WorkKind.Download, Segment: null, Spec: { ReadFor: null, End: long.MaxValue } }) return default;
        var isOtherLength = done.Source?.Length > end
            || done.Verified < VerificationMode.Size && item.Announced is > 0 and var told && told != end;
        return file.Attempts.ContinueAt is null && !isOtherLength ? default : WhyChangedAsync(file, end);
    }

    private async ValueTask<TransferException?> WhyChangedAsync(JobFile file, long end)
    {
        try
        {
            return await _sources.IsAppendedAsync(file, end).ConfigureAwait(false) ? null : Changed(file, end);
        }
        catch (TransferException e)
        {
            return e;
        }
        catch (OperationCanceledException)
        {
            return Changed(file, end);
        }
    }

    private static TransferException Changed(JobFile file, long end) => WorkOutcome.Failed.Rewritten(file.RemotePath, end).Error;

    // No byte of the attempts before is continued.
    private async ValueTask<FileEnd?> BeginAnewAsync(JobFile file, TransferException error)
    {
        if (!error.IsTransient || !_retries.TryTakeReplay(file)) return _finisher.Failed(file, error);
        _retries.Delay(file);
        return await _retries.PrepareRetryAsync(file, error, anew: true).ConfigureAwait(false);
    }

    private async ValueTask<FileEnd?> CheckHashAsync(JobItem item, WorkOutcome.Done done, ContentHash ours)
    {
        var (file, publishing) = (item.File, false);
        try
        {
            var source = await _hashes.CompareAsync(item, done.Bytes, ours).ConfigureAwait(false);
            publishing = true;
            if (item.Unpublished is { } temporary)
                await _publisher.PublishAsync(file, temporary, done.Bytes, VerificationMode.Hash, done.HasMode).ConfigureAwait(false);
            var end = await _finisher.FinishAsync(file, done with { Verified = VerificationMode.Hash }).ConfigureAwait(false);
            return end with { Result = end.Result! with { HashAlgorithm = ours.Algorithm, Hash = ours.Digits, HashSource = source } };
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            return await NotPublishedAsync(file, item.Unpublished, publishing, e).ConfigureAwait(false);
        }
    }

    // The file is complete under the temporary name: the file to be replaced is backed up first.
    private async ValueTask<FileEnd?> PublishLaterAsync(JobItem item, WorkOutcome.Done done, string temporary)
    {
        var file = item.File;
        var bytes = done.Bytes + Continued(item);
        try
        {
            var verified = await _publisher.PublishAsync(file, temporary, bytes, done.Verified, done.HasMode).ConfigureAwait(false);
            return await _finisher.FinishAsync(file, done with { Bytes = bytes, Verified = verified }).ConfigureAwait(false);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            return await NotPublishedAsync(file, temporary, publishing: true, e).ConfigureAwait(false);
        }
    }

    // The file sent is complete, or was to be compared, and is not published.
    private async ValueTask<FileEnd?> NotPublishedAsync(JobFile file, string? temporary, bool publishing, Exception why)
    {
        if (temporary is not null && why is not TransferException { Kept.Count: > 0 }) _job.Leftovers.Add(temporary);
        if (why is not TransferException error) return FileEnd.Canceled;
        if (error.NeedsDirectPublish) return await WithoutRenameAsync(file, error).ConfigureAwait(false);
        if (publishing || !error.IsTransient || !_retries.TryTakeReplay(file)) return _finisher.Failed(file, error);
        _retries.Delay(file);
        return await _retries.PrepareRetryAsync(file, error).ConfigureAwait(false);
    }

    private async ValueTask<FileEnd> EndWithPartAsync(JobFile file, TransferException error) =>
        _finisher.Failed(file, await _direct.WithPartAsync(file, error).ConfigureAwait(false));
}
