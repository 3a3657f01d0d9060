using Transfer.Diagnostics;
using Transfer.Engine.Files;
using Transfer.Sessions;

namespace Transfer.Engine.Segments;

/// <summary>
/// Ends the parts of a job's large files, and the files once all of their parts have ended: compared, published, or begun again in one
/// piece.
/// </summary>
internal sealed class SegmentEnds
{
    private readonly JobContext _job;
    private readonly JobLine _line;
    private readonly JobSegments _segments;
    private readonly SegmentRules _rules;
    private readonly FileRetries _retries;
    private readonly FileFinisher _finisher;
    private readonly FilePublisher _publisher;
    private readonly SourceCheck _sources;

    /// <param name="job">The job.</param>
    /// <param name="line">The line to which a file returns that is to come in one piece.</param>
    /// <param name="segments">The files under way.</param>
    /// <param name="rules">Decides which files are divided.</param>
    /// <param name="retries">Decides whether a file is tried again.</param>
    /// <param name="finisher">Ends whole files.</param>
    /// <param name="publisher">Publishes files.</param>
    /// <param name="sources">Compares the files that the sessions have read.</param>
    public SegmentEnds(
        JobContext job, JobLine line, JobSegments segments, SegmentRules rules, FileRetries retries, FileFinisher finisher,
        FilePublisher publisher, SourceCheck sources)
    {
        _job = job;
        _line = line;
        _segments = segments;
        _rules = rules;
        _retries = retries;
        _finisher = finisher;
        _publisher = publisher;
        _sources = sources;
    }

    /// <summary>Returns the number of bytes of a part's attempt that the next attempt need not move again.</summary>
    public static long Kept(JobItem item) => item.File.Segment is { } segment ? segment.Start - item.Offset : 0;

    /// <summary>Finishes a part that a session has moved.</summary>
    /// <exception cref="TransferException">The content could not be finished.</exception>
    public async ValueTask<FileEnd> FinishPartAsync(JobItem item, WorkOutcome.Done done)
    {
        try
        {
            await item.File.Content.FinishAsync(done.Bytes).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            return FileEnd.Canceled;
        }
        var expected = item.End - item.Offset;
        _segments.Learn(item.File.Segment!.Whole, done);
        if (item.Kind == WorkKind.Upload) item.ConfirmAll(done.Bytes);
        return done.Bytes == expected
            ? new FileEnd(new TransferResult { Bytes = done.Bytes, Verified = done.Verified }, null)
            : new FileEnd(null,
                new TransferException(TransferError.Integrity,
                    $"{item.AskedPath}: {done.Bytes} bytes of {expected} were moved.")
                { RemotePath = item.AskedPath });
    }

    /// <summary>
    /// Ends a part. Null: other parts of the file are under way, or the file is in line again; else the end of the whole file.
    /// </summary>
    public async ValueTask<(JobFile Whole, FileEnd End)?> EndPartAsync(JobFile part, FileEnd ended)
    {
        var segment = part.Segment!;
        var whole = segment.Whole;
        Log.SegmentOver(_job.Logger, part.RemotePath, segment.Start, segment.End, segment.Pace.Start?.TotalMilliseconds ?? 0,
            segment.Pace.Rate ?? 0);
        await part.Content.AbandonAsync(ended.Error).ConfigureAwait(false);
        if (!_segments.End(part, ended)) return null;
        var end = whole.Failure ?? await FinishAsync(whole).ConfigureAwait(false);
        var goesUndivided = GoesUndivided(whole);
        if (whole is { TemporaryPath: { } temporary, Published: false }
            && (goesUndivided || !FileFinisher.IsKept(whole.File, end)) && end.Error is not { Kept.Count: > 0 })
        {
            _job.Leftovers.Add(temporary);
        }

        whole.Dispose();
        if (goesUndivided && await AgainUndividedAsync(whole).ConfigureAwait(false)) return null;
        return (whole.File, end);
    }

    // A server that announces offsets and then refuses or ignores them has the file all the same. And bytes that begin a file are sent
    // once under one name.
    private bool GoesUndivided(SegmentedFile whole) => whole is { File: var file, Failure.Error: { } error }
        && (whole.IsOffsetRefused
            || (file.Kind == WorkKind.Download || file.Content.IsRemote || !_rules.AnnouncesSharedWrites) && MayBeOfDivision(whole, error))
        && _retries.TryTakeReplay(file) && !_job.IsCanceled(file);

    private static bool MayBeOfDivision(SegmentedFile whole, TransferException error) => error is TransferConnectionException
        ? whole.Beginning is not null : error.Error is TransferError.Unsupported or TransferError.Protocol or TransferError.Integrity;

    // False: no further attempt is possible.
    private async ValueTask<bool> AgainUndividedAsync(SegmentedFile whole)
    {
        var file = whole.File;
        file.MustStayWhole = true;
        if (whole.IsOffsetRefused) _rules.EndDivisions();
        _job.Owner.OnBytesMoved(-whole.Moved);
        return await _retries.PrepareRetryAsync(file, whole.Failure!.Value.Error).ConfigureAwait(false) is null
            && _line.TryPutBack(file, isNews: true);
    }

    private async ValueTask<FileEnd> FinishAsync(SegmentedFile whole)
    {
        var file = whole.File;
        file.Attempts.Count = whole.Attempts;
        try
        {
            await file.Content.VerifyUnchangedAsync().ConfigureAwait(false);
            if (file.Kind == WorkKind.Download) await _sources.CompareSeamsAsync(whole).ConfigureAwait(false);
            var verified = whole.TemporaryPath is { } temporary
                ? await PublishAsync(whole, temporary).ConfigureAwait(false)
                : await _sources.CompareAsync(file.RemotePath, whole.Length, file.Spec.SourceModified, whole.Sources).ConfigureAwait(false);
            var source = whole.Sources.Find(source => source?.Modified is not null);
            return await _finisher.FinishAsync(file,
                new WorkOutcome.Done(whole.Length, verified) { Source = source }).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            return FileEnd.Canceled;
        }
        catch (Exception e)
        {
            return _finisher.Failed(file,
                e as TransferException ?? new TransferException(TransferError.Protocol, $"{file.RemotePath}: {e.Message}", e));
        }
    }

    private async ValueTask<VerificationMode> PublishAsync(SegmentedFile whole, string temporary)
    {
        // The length was compared by the sessions that wrote the segments, or is compared now.
        var verified = await _publisher.PublishAsync(whole.File, temporary, whole.Length, whole.Verified,
            mode: whole.Mode).ConfigureAwait(false);
        whole.Published = true;
        return verified;
    }
}
