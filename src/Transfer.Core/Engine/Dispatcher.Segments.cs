using Transfer.Diagnostics;
using Transfer.Engine.Journal;
using Transfer.Engine.Sync;
using Transfer.Sessions;

namespace Transfer.Engine;

internal sealed partial class Dispatcher
{
    // A segment that grows slow has nobody to tell of it.
    private static readonly TimeSpan LookAfter = TimeSpan.FromMilliseconds(100);

    private readonly List<SegmentedFile> _segmented = [];
    private readonly int? _segmentsAsked;
    private ITimer? _sharing;

    /// <summary>
    /// A single file is about to be asked for. Where opening a session takes long, it gets ready for it, and others are opened beside the first, before it is
    /// known what they are for.
    /// </summary>
    /// <param name="kind">Which way it goes.</param>
    /// <param name="mayBeDivided">It may be worth several sessions; false: it is moved by one.</param>
    public void ExpectFile(WorkKind kind, bool mayBeDivided) => OpenAhead(mayBeDivided ? _segmentsAsked ?? _usual : 1, kind);

    /// <summary>The same for a folder of which nothing is known yet.</summary>
    public void ExpectFolder() => OpenAhead(Math.Max(_usual, _segmentsAsked ?? 0), FilesGo);

    /// <summary>Files can be read from anywhere, as far as that is known.</summary>
    public bool HasRanges => _pool.LastFeatures is { SegmentedDownloads: true };

    /// <summary>Several sessions may write one file together: the server says so, or was found to take it and is asked to.</summary>
    public bool WritesTogether => SaysItWritesTogether || _segmentsAsked > 1 && Probe is { Succeeded: true };

    private bool SaysItWritesTogether => _pool.LastFeatures is { SegmentedUploads: true };

    /// <summary>Segments are asked for of a server that cannot say whether it takes them: has that found out, once a client, before the first file that would be divided is in line.</summary>
    public async ValueTask ProbeAsync(JobFile file, CancellationToken ct)
    {
        if (Probe is null || _segmentsAsked is null || _most < 2 || file is not { Kind: WorkKind.Upload, Publish: PublishMode.Rename } || !IsWorthDividing(file)) return;
        await Probe.RunAsync(async (session, token) =>
        {
            if (file.Folder is { } folder) await RemoteDirectories.EnsureAsync(session, folder, token).ConfigureAwait(false);
            file.Folder = null;
            return UnusedPath(file);
        }, _leftovers.Add, ct).ConfigureAwait(false);
    }

    private void OpenAhead(int sessions, WorkKind? kind) => _ = OpenAheadAsync(Math.Min(sessions, _most), kind);

    private async Task OpenAheadAsync(int sessions, WorkKind? kind)
    {
        try
        {
            if (_pool.Open == 0) await Task.Delay(SessionPool.LongOpening, _time, _abort).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            return;
        }
        if (_scheduler.IsLinkLong) _pool.Prepare(sessions, kind);
    }

    // As long as there are files for all sessions, dividing them only costs round trips.
    private bool MayHaveSegments(JobFile file)
    {
        if (!CanBeDivided(file)) return false;
        lock (_gate) return _most > 1 && !_scheduler.IsMoreThanLocked(MostLocked - 2);
    }

    private bool CanBeDivided(JobFile file)
    {
        if (!IsWorthDividing(file) || _pool.LastFeatures is not { } features) return false;
        // What was written in order goes on at its end.
        if (file.Kind == WorkKind.Upload) return WritesTogether && file.Publish == PublishMode.Rename && (file.Journaled?.Continuation is null || ContinuesInRanges(file));
        return features.SegmentedDownloads;
    }

    private bool IsWorthDividing(JobFile file) =>
        file is { Segment: null, Undivided: false, Verify: not VerificationMode.Hash, Spec.IsWhole: true, Content: { HasRanges: true, Length: >= SegmentedFile.LeastLength } }
        && !(_segmentsAsked < 2);

    // Downloads always: a local file takes any range. Uploads where the server does too; else they go on in one piece, at the end of what is there.
    private bool ContinuesInRanges(JobFile file) => file is { Segment: null, Journaled.Continuation: { } continuation }
        && (file.Kind == WorkKind.Download || SaysItWritesTogether || continuation.IsDivided && WritesTogether);

    private JobFile BeginSegments(JobFile file)
    {
        var whole = new SegmentedFile(file, NewTemporaryPath(file, isDivided: true), _segmentsAsked, _time) { RoundTrip = _pool.RoundTrip };
        file.Attempts.Count++;
        if (file.Journaled?.Continuation is { } kept) Owner.Moved(kept.Kept(whole.Length));
        lock (_gate)
        {
            _segmented.Add(whole);
            _scheduler.DividesLocked(this, divides: true);
            _sharing ??= _time.CreateTimer(static self => ((Dispatcher)self!).LookAfterSegments(), this, LookAfter, LookAfter);
            var parts = file.Journaled?.Continuation is { } continuation
                ? whole.Continue(continuation)
                : file.Kind == WorkKind.Upload && !SaysItWritesTogether ? [whole.BeginAlone(MostLocked)]
                : whole.Begin(Math.Min(_pool.Expected, MostLocked), _pool.IsFar);
            SettleLocked(parts.Count);
            foreach (var part in parts) LogBegin(part);
            // In front of whatever else there is, in their order; the first is the caller's.
            for (var i = parts.Count - 1; i > 0; i--) _queue.AddFirst(parts[i]);
            if (parts.Count > 1) LinedLocked(parts.Count - 1);
            else _scheduler.StartWorkersLocked();
            return parts[0];
        }
    }

    private void LookAfterSegments()
    {
        List<Action> stalled;
        lock (_gate)
        {
            if (_segmented.Count == 0) return;
            if (Flow is { IsPaused: true })
            {
                foreach (var run in _scheduler.RunsLocked) run.Touch();
                return;
            }
            foreach (var whole in _segmented) whole.Look();
            _scheduler.StartWorkersLocked();
            stalled = GiveUpStalled();
        }
        foreach (var giveUp in stalled) giveUp();
    }

    // Called under the lock. Only for somebody who has nothing else to do: a range that was begun is worth waiting for as long as others are.
    private List<Action> GiveUpStalled()
    {
        var given = new List<Action>();
        var idle = _scheduler.AnyWaitingLocked || _scheduler.ComingLocked > 0 || Flow is { IsLimited: true } || RoomInSegments() > 0 ? 0 : _pool.Idle;
        foreach (var run in _scheduler.RunsLocked)
        {
            if (given.Count >= idle) break;
            if (run.GiveUpStalled() is { } giveUp) given.Add(giveUp);
        }
        // One after the other: what they have to do then is known when that is taken.
        if (given.Count == 0 && idle > 0 && _scheduler.RunsLocked.MaxBy(run => run.TimeLeft)?.GiveUpSlow(idle) is { } slow) given.Add(slow);
        return given;
    }

    private void DivideAmongIdle(JobFile part)
    {
        lock (_gate)
        {
            if (part.Segment is { } segment) segment.Whole.Divide(segment, _pool.Idle);
        }
    }

    // Only the segments' own limit counts here, whatever was asked for other files.
    private int MostForSegments => _segmentsAsked ?? (_scheduler.IsRampedForLongLink ? _most : 0);

    // Called under the lock.
    private int RoomInSegments()
    {
        if (_segmented.Count == 0) return 0;
        var (room, opening, isFar, idle) = (0, _pool.OpeningTime, _pool.IsFar, _pool.Idle);
        foreach (var whole in _segmented) room += whole.Room(opening, isFar, idle);
        return room;
    }

    /// <summary>A part of a large file that is under way, for a session that has nothing else to do; null: there is none that would be worth it.</summary>
    public JobFile? ShareSegmentLocked()
    {
        foreach (var whole in _segmented)
        {
            if (whole.Share() is not { } part) continue;
            SettleLocked(1);
            LogBegin(part);
            return part;
        }
        return null;
    }

    private void LogBegin(JobFile part) => Log.SegmentBegun(_logger, part.RemotePath, part.Segment!.Start, part.Segment.End, part.Segment.Whole.Open - 1);

    // What of an attempt that is tried again need not be moved again.
    private static long Kept(JobItem item) => item.File.Segment is { } segment ? segment.Start - item.Offset : 0;

    private async ValueTask<FileEnd?> EndOfSegmentAsync(JobItem item, WorkOutcome.Done done)
    {
        try
        {
            await item.File.Content.FinishAsync(done.Bytes).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            return FileEnd.Canceled;
        }
        catch (TransferException e)
        {
            return await DecideAsync(item, new WorkOutcome.Failed(e)).ConfigureAwait(false);
        }
        var expected = item.End - item.Offset;
        lock (_gate)
        {
            var whole = item.File.Segment!.Whole;
            whole.Sources.Add(done.Source);
            whole.Mode = done.FinalMode ?? whole.Mode;
        }
        if (item.Kind == WorkKind.Upload) item.ConfirmAll(done.Bytes);
        return done.Bytes == expected
            ? new FileEnd(new TransferResult { Bytes = done.Bytes, Verified = done.Verified }, null)
            : new FileEnd(null, new TransferException(TransferError.Integrity, $"{item.Path}: {done.Bytes} bytes of {expected} were moved.") { RemotePath = item.Path });
    }

    private async ValueTask EndSegmentAsync(JobFile part, FileEnd ended)
    {
        var segment = part.Segment!;
        var whole = segment.Whole;
        Log.SegmentOver(_logger, part.RemotePath, segment.Start, segment.End, segment.Pace.Start?.TotalMilliseconds ?? 0, segment.Pace.Rate ?? 0);
        await part.Content.AbandonAsync(ended.Error).ConfigureAwait(false);
        lock (_gate)
        {
            if (!whole.End(part, ended)) return;
            _segmented.Remove(whole);
            if (_segmented.Count == 0) _scheduler.DividesLocked(this, divides: false);
        }
        var end = whole.Failure ?? await FinishSegmentsAsync(whole).ConfigureAwait(false);
        var goesUndivided = GoesUndivided(whole);
        if (whole is { TemporaryPath: { } temporary, Published: false } && (goesUndivided || !IsKept(whole.File, end))
            && end.Error is not { Kept.Count: > 0 })
        {
            _leftovers.Add(temporary);
        }
        whole.Dispose();
        if (goesUndivided && await AgainUndividedAsync(whole).ConfigureAwait(false)) return;
        await EndAsync(whole.File, end).ConfigureAwait(false);
        lock (_gate)
        {
            SettleLocked(-1);
            _scheduler.DismissWaitingLocked();
            CheckCompletionLocked();
        }
    }

    // A server that announces offsets and then refuses or ignores them has the file all the same. And bytes that begin a file are sent once under one name.
    private bool GoesUndivided(SegmentedFile whole) => whole is { File: var file, Failure.Error: { } error }
        && (file.Kind == WorkKind.Download || file.Content is CopyContent || !SaysItWritesTogether)
        && (error is TransferConnectionException ? whole.Beginning is not null : error.Error is TransferError.Unsupported or TransferError.Protocol or TransferError.Integrity)
        && MayTryAgain(file) && !IsCanceled(file);

    // False: it is too late for that.
    private async ValueTask<bool> AgainUndividedAsync(SegmentedFile whole)
    {
        var file = whole.File;
        file.Undivided = true;
        Owner.Moved(-whole.Moved);
        if (await AgainAsync(file, whole.Failure!.Value.Error).ConfigureAwait(false) is not null) return false;
        lock (_gate)
        {
            if (_dead is not null || _abort.IsCancellationRequested || IsLeftOut(file)) return false;
            _queue.AddFirst(file);
            LinedLocked(1);
            return true;
        }
    }

    private async ValueTask<FileEnd> FinishSegmentsAsync(SegmentedFile whole)
    {
        var file = whole.File;
        file.Attempts.Count = whole.Attempts;
        try
        {
            await file.Content.CompareAsync().ConfigureAwait(false);
            if (file.Kind == WorkKind.Download) await CompareSeamsAsync(whole).ConfigureAwait(false);
            var verified = whole.TemporaryPath is { } temporary
                ? await PublishAsync(whole, temporary).ConfigureAwait(false)
                : await CompareAsync(file.RemotePath, whole.Length, file.Spec.SourceModified, whole.Sources).ConfigureAwait(false);
            return await FinishAsync(file, new WorkOutcome.Done(whole.Length, verified) { Source = whole.Sources.Find(source => source?.Modified is not null) }).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            return FileEnd.Canceled;
        }
        catch (Exception e)
        {
            return EndWith(file, e as TransferException ?? new TransferException(TransferError.Protocol, $"{file.RemotePath}: {e.Message}", e));
        }
    }

    // Where a session has gone on for one that was lost, the source may have become another of the same length and time in between.
    private async ValueTask CompareSeamsAsync(SegmentedFile whole)
    {
        var (file, seams) = (whole.File, whole.Seams);
        foreach (var seam in seams)
        {
            var start = Math.Max(0, seam - RangeTail.MaxLength);
            if (await file.Content.ReadBackAsync(start, new byte[seam - start], _abort).ConfigureAwait(false) < seam - start) continue;
            if (!await EndsAlikeAsync(file.Content.ReadBackAsync, file.RemotePath, start, seam, _abort).ConfigureAwait(false))
                throw new TransferException(TransferError.Integrity, $"{file.RemotePath} changed while it was read: what came before a session was lost is not what is there now.") { RemotePath = file.RemotePath };
        }
    }

    /// <summary>Compares what sessions have read the segments of. Each opened the file for itself: one that was replaced in between must not be put together from old and new.</summary>
    /// <param name="path">The file.</param>
    /// <param name="length">How long it was, and</param>
    /// <param name="modified">of what time, when it was looked at.</param>
    /// <param name="sources">What the sessions told of what they read; where one did not the file is looked at now.</param>
    /// <exception cref="TransferException">It has changed, or is gone.</exception>
    public async ValueTask<VerificationMode> CompareAsync(string path, long length, DateTimeOffset? modified, List<FileStamp?> sources)
    {
        if (sources.Contains(null))
        {
            var now = await ControlAsync((session, ct) => session.GetEntryAsync(path, ct), retry: true, _abort).ConfigureAwait(false);
            sources = now is null ? [] : [new FileStamp(now.Length, now.Modified)];
        }
        var step = _pool.LastFeatures?.TimePrecision ?? TimeSpan.FromMinutes(1);
        // A listing of minutes, or days, on a clock of an unknown zone says nothing about the exact times: those are compared with each other.
        var expected = SyncTimes.IsCoarse(step) ? sources.Select(source => source?.Modified).FirstOrDefault(time => time is not null) : modified;
        if (sources.Count > 0 && sources.TrueForAll(source => IsSame(source!.Value)))
            return sources.Exists(source => source!.Value.Length is null) ? VerificationMode.Reply : VerificationMode.Size;
        throw new TransferException(TransferError.Integrity, $"{path} changed while it was read.") { RemotePath = path };

        bool IsSame(FileStamp source) => (source.Length ?? length) == length
            && !(expected is { } before && source.Modified is { } after && (before - after).Duration() >= step);
    }

    private async ValueTask<VerificationMode> PublishAsync(SegmentedFile whole, string temporary)
    {
        // Compared by the sessions that wrote the segments already, or not yet.
        var verified = await PublishAsync(whole.File, temporary, whole.Length, whole.Verified, mode: whole.Mode).ConfigureAwait(false);
        whole.Published = true;
        return verified;
    }
}
