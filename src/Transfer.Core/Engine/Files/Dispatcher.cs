using Transfer.Contents;
using Transfer.Diagnostics;
using Transfer.Engine.Scheduling;
using Transfer.Engine.Segments;
using Transfer.Handles;
using Transfer.Local;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>
/// One job in the client's <see cref="Scheduler"/>: connects the parts that hold the job's state. Files wait in a <see cref="FileLine"/>,
/// are counted in a <see cref="JobStanding"/>, are divided by <see cref="JobSegments"/> where that pays, and are settled by <see
/// cref="FileSettling"/>. Members named <c>…Locked</c> are called under the scheduler's lock.
/// </summary>
internal sealed class Dispatcher : IDisposable, IScheduledJob
{
    // The most files that are being settled: above that workers pause, so that a slow disk does not pile up open files.
    private const int MaxSettling = 128;

    // The sessions for a folder that was not listed yet, for which even few small files keep a second session busy while further ones open.
    private const int FolderAhead = 2;

    // The time for a session to finish with cancelled files; after that the session is given up.
    private static readonly TimeSpan CleanUpTime = TimeSpan.FromSeconds(5);

    private readonly Scheduler _scheduler;
    private readonly Lock _gate; // the scheduler's
    private readonly JobContext _context;
    private readonly JobStanding _standing;
    private readonly FileLine _files;
    private readonly JobLine _line;
    private readonly SegmentRules _rules;
    private readonly JobSegments _segments;
    private readonly FileFinisher _finisher;
    private readonly FileSettling _settling;
    private readonly DirectPublishing _direct;
    private readonly RemoteLook _look;
    private readonly SourceCheck _sources;
    private readonly HashCheck _hashes;
    private readonly CancellationTokenRegistration _onAbort;
    private readonly CancellationTokenRegistration _onFinish;
    private readonly CancellationTokenSource _stopFiles = new();
    private readonly bool _mayTakeLast;
    private readonly JobPause _pause;
    private readonly int _usual;
    private readonly int _most;

    /// <param name="engine">The engine of the client.</param>
    /// <param name="limits">The number of sessions and segments to use.</param>
    /// <param name="owner">The receiver of the job's events.</param>
    /// <param name="pause">The pause that holds the job.</param>
    /// <param name="abort">Fires when the job is given up.</param>
    /// <param name="finish">Fires when no more files may begin.</param>
    public Dispatcher(ClientEngine engine, JobLimits limits, IDispatcherOwner owner, JobPause pause, CancellationToken abort,
        CancellationToken finish = default)
    {
        _scheduler = engine.Scheduler;
        _gate = _scheduler.Gate;
        _most = Math.Max(1, Math.Min(limits.Sessions ?? int.MaxValue, engine.MaxSessions));
        _usual = Math.Min(limits.Sessions ?? engine.UsualSessions, _most);
        OwnSessions = limits.Sessions is null ? null : _most;
        Contents = limits.Contents;
        _mayTakeLast = limits.MayTakeLast;

        _standing = new JobStanding(_gate);
        _context = new JobContext(engine, _standing, owner, pause, abort, finish);
        _rules = new SegmentRules(limits.Segments, engine.DividesUploads() ? null : engine.Probe, () => engine.Pool.LastFeatures);
        _files = new FileLine(_most > 1, () => engine.Pool.LastFeatures is not null, _rules.CanBeDivided);
        _line = new JobLine(new SchedulerPlace(_scheduler, this), _files, _standing,
            file => _context.Abort.IsCancellationRequested || _context.IsLeftOut(file));
        _segments = new JobSegments(_scheduler, this, _context, _line, _rules, (_most, _usual), OwnSessions);

        _look = new RemoteLook(_context);
        _sources = new SourceCheck(_context, _look);
        _hashes = new HashCheck(_context);
        _direct = new DirectPublishing(_context);
        _finisher = new FileFinisher(_context);
        var publisher = new FilePublisher(_context);
        var retries = new FileRetries(_context, _line);
        var segmentEnds = new SegmentEnds(_context, _line, _segments, _rules, retries, _finisher, publisher, _sources);
        var verdict = new ItemVerdict(_context, _segments, segmentEnds, retries, _finisher, publisher, _look, _sources, _hashes,
            _direct);
        _settling = new FileSettling(_context, _standing, _line, verdict, retries, _finisher, segmentEnds);

        _pause = pause;
        _scheduler.Add(this);
        _pause.Watch(OnPause);
        _onAbort = abort.UnsafeRegister(static self => ((Dispatcher)self!).Abort(), this);
        _onFinish = finish.UnsafeRegister(static self => ((Dispatcher)self!).DropQueue(butSegments: true), this);
    }

    public IDispatcherOwner Owner => _context.Owner;

    /// <summary>The limits and pauses that hold content back.</summary>
    public ContentFlow Flow => _context.Flow;

    public ServerMeter Meter => _context.Meter;

    /// <summary>The number of sessions in the job's options; null: as many as pay.</summary>
    public int? OwnSessions { get; }

    /// <summary>
    /// Whether the job's contents wait for an application's stream or another session. A session of such a job has no other job's files.
    /// </summary>
    public bool IsExclusive => Contents != JobContents.Here;

    /// <summary>The place of the near end of the job's files.</summary>
    public JobContents Contents { get; }

    /// <summary>
    /// The direction of all files of the job: sessions that are opened for them prepare for that direction. Null: the directions differ.
    /// </summary>
    public WorkKind? Direction { get; set; }

    /// <summary>The places for open local files.</summary>
    public OpenFiles OpenFiles
    {
        set => _files.OpenFiles = value;
    }

    /// <inheritdoc cref="JobStanding.Completion"/>
    public Task Completion => _standing.Completion;

    /// <inheritdoc cref="JobStanding.PeakSessions"/>
    public int PeakSessions => _standing.PeakSessions;

    /// <inheritdoc cref="JobStanding.NoSessionError"/>
    public TransferException? Dead => _standing.NoSessionError;

    /// <inheritdoc cref="JobStanding.NeverSessionError"/>
    public TransferException? Fatal => _standing.NeverSessionError;

    /// <inheritdoc cref="JobStanding.HasRun"/>
    public bool HasRun => _standing.HasRun;

    /// <inheritdoc cref="SegmentRules.HasRanges"/>
    public bool HasRanges => _rules.HasRanges;

    /// <inheritdoc cref="SegmentRules.AllowsSharedWrites"/>
    public bool WritesTogether => _rules.AllowsSharedWrites;

    /// <inheritdoc cref="HashCheck.Algorithm"/>
    public string HashAlgorithm => _hashes.Algorithm;

    /// <summary>Whether the job was given up.</summary>
    public bool IsAborted => _context.Abort.IsCancellationRequested;

    /// <summary>The number of files in line.</summary>
    public int Queued
    {
        get { lock (_gate) return WaitingLocked; }
    }

    /// <summary>The number of files that were added and have not ended.</summary>
    public int Unsettled
    {
        get { lock (_gate) return UnsettledLocked; }
    }

    /// <summary>The number of files in line.</summary>
    public int WaitingLocked => _files.CountLocked;

    /// <inheritdoc cref="JobStanding.UnsettledLocked"/>
    public int UnsettledLocked => _standing.UnsettledLocked;

    /// <inheritdoc cref="JobStanding.ExpectedLocked"/>
    public int ExpectedLocked => _standing.ExpectedLocked(WaitingLocked);

    /// <inheritdoc cref="JobStanding.ExpectedBytesLocked"/>
    public long ExpectedBytesLocked => _standing.ExpectedBytesLocked(_files.BytesLocked);

    /// <inheritdoc cref="JobSegments.MostLocked"/>
    public int MostLocked => _segments.MostLocked;

    /// <summary>Whether one more session may have files of the job.</summary>
    public bool MayHaveAnotherLocked => _standing.BusyLocked < MostLocked && !MustLeaveOneLocked;

    // Without this test a worker would lease a session, get no file and return the session, over and over.
    private bool MustLeaveOneLocked => Contents == JobContents.FedBySessions && _scheduler.IsFedEnoughLocked(_mayTakeLast);

    /// <summary>Whether no file of the job may begin now.</summary>
    public bool IsPausedLocked { get; private set; }

    /// <summary>Whether the job, neither paused nor given up, may have more files under way.</summary>
    public bool MayTakeLocked => !IsPausedLocked && !IsAborted && _standing.SettlingLocked < MaxSettling;

    /// <summary>The number of further sessions that would have work.</summary>
    public int WantedLocked =>
        MayTakeLocked && !_files.LacksPlaceLocked && !MustLeaveOneLocked
        ? Math.Clamp(WaitingLocked + _segments.RoomLocked, 0, Math.Max(0, MostLocked - _standing.BusyLocked)) : 0;

    /// <summary>Whether files may still be put in line.</summary>
    public bool MayGetMoreLocked => !_standing.NoMoreLocked && !IsAborted;

    /// <summary>Adds a file, waiting for room.</summary>
    /// <exception cref="TransferException">No session could be opened at all.</exception>
    public async ValueTask EnqueueAsync(JobFile file, CancellationToken ct)
    {
        await _line.WhenRoomAsync(ct).ConfigureAwait(false);
        Enqueue(file);
    }

    /// <summary>Adds a file without waiting for room, where the number of files has another bound.</summary>
    public void Enqueue(JobFile file)
    {
        file.Attach(_stopFiles.Token);
        if (!_line.TryAdd(file)) _ = _settling.DropAsync(file, Dead);
    }

    /// <summary>Marks the end of additions: no more files will come.</summary>
    public void Complete() => _line.Complete();

    /// <inheritdoc cref="JobContext.EnsureAsync"/>
    public ValueTask<bool> EnsureAsync(string folder, CancellationToken ct, UnixFileMode? mode = null) =>
        _context.EnsureAsync(folder, ct, mode);

    /// <inheritdoc cref="JobContext.DeleteFilesAsync"/>
    public ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        _context.DeleteFilesAsync(paths, ct);

    /// <summary>Runs an action on a session of the same pool; a worker makes room if need be.</summary>
    public ValueTask<T> ControlAsync<T>(Func<TransferSession, CancellationToken, ValueTask<T>> action, bool retry, CancellationToken ct) =>
        _context.ControlAsync(action, retry, ct);

    /// <inheritdoc cref="JobContext.ListAsync"/>
    public ValueTask<T> ListAsync<T>(Func<TransferSession, CancellationToken, ValueTask<T>> list, bool finds, CancellationToken ct) =>
        _context.ListAsync(list, finds, ct);

    /// <inheritdoc cref="RemoteLook.EndsAlikeAsync"/>
    public ValueTask<bool> EndsAlikeAsync(RangeEnds.Read here, string path, long start, long end, CancellationToken ct) =>
        _look.EndsAlikeAsync(here, path, start, end, ct);

    /// <inheritdoc cref="SourceCheck.CompareAsync"/>
    public ValueTask<VerificationMode> CompareAsync(string path, long length, DateTimeOffset? modified, List<FileStamp?> sources) =>
        _sources.CompareAsync(path, length, modified, sources);

    /// <summary>Waits until the leftovers of lost sessions at the server are deleted, as far as possible.</summary>
    public Task CleanUpAsync() => _context.Leftovers.DrainAsync(_context.Abort);

    /// <summary>
    /// Opens the sessions that pay for files on their way: log-ins then run beside the work that precedes the files.
    /// </summary>
    /// <param name="files">The number of files.</param>
    /// <param name="bytes">The bytes of the files, as far as known.</param>
    /// <param name="opens">Whether sessions may be opened at once; false: once the first one turns out to take long.</param>
    public void Expect(int files, long bytes = 0, bool opens = true)
    {
        if (IsAborted) return;
        int most;
        lock (_gate)
        {
            _standing.ExpectLocked(files, bytes);
            _scheduler.WatchLinkLocked();
            most = OwnSessions is null ? Math.Min(MostLocked, _scheduler.AllowedLocked) : MostLocked;
            // The segments of large files are work for more sessions than there are files.
            if (OwnSessions is null && Direction == WorkKind.Download && bytes / Math.Max(1, files) >= SegmentedFile.LeastLength)
                (files, most) = (_usual, _scheduler.PayingForSegments(bytes, _usual));
        }
        if (opens) _scheduler.Prepare(Math.Min(files, most), Direction);
    }

    /// <summary>
    /// Prepares for a single file. Where opening a session takes long, the first session prepares for the file, and the sessions that pay
    /// for segments of the file are opened beside the first.
    /// </summary>
    /// <param name="kind">The direction of the file.</param>
    /// <param name="length">The length, where several sessions may move the file; null: not known (yet), or one session moves it.</param>
    public void ExpectFile(WorkKind kind, long? length = null) =>
        _ = OpenAheadAsync(kind, () => length is { } known ? _rules.MostSegments ?? _scheduler.PayingForSegments(known, _usual) : 1);

    /// <summary>Prepares for a folder with files that are not known yet.</summary>
    public void ExpectFolder() => _ = OpenAheadAsync(Direction, () => Math.Min(_usual, FolderAhead));

    /// <summary>
    /// Tests, once a client, whether a server takes segments of uploads, when the options want segments and the server does not announce
    /// that; before the first file that would be divided is in line.
    /// </summary>
    public async ValueTask ProbeAsync(JobFile file, CancellationToken ct)
    {
        if (_most < 2 || _rules.ProbeFor(file) is not { } probe) return;
        await probe.RunAsync(async (session, token) =>
        {
            if (file.Folder is { } folder) await RemoteDirectories.EnsureAsync(session, folder, token).ConfigureAwait(false);
            file.Folder = null;
            return _context.UnusedPath(file);
        }, _context.Leftovers.Add, ct).ConfigureAwait(false);
    }

    /// <inheritdoc cref="Scheduler.FileBegun"/>
    public void FileBegun() => _scheduler.FileBegun();

    /// <summary>Counts content bytes that were moved.</summary>
    public void Moved(long bytes)
    {
        _scheduler.Moved(bytes);
        Owner.OnBytesMoved(bytes);
    }

    /// <inheritdoc cref="FileLine.TakeLocked"/>
    public JobFile[] TakeLocked(int most, int sessions, bool alone) => _files.TakeLocked(most, sessions, alone);

    /// <inheritdoc cref="JobSegments.ShareLocked"/>
    public JobFile? ShareSegmentLocked() => _segments.ShareLocked();

    /// <summary>Makes an item of a file that a session takes; null when the file was settled or put back instead.</summary>
    public JobItem? Prepare(WorkerSource run, JobFile file)
    {
        file.Attempts.Started ??= _context.Time.GetTimestamp();
        if (_direct.FindRenameRefusal(file) is { } why)
        {
            _ = _settling.WithoutRenameAsync(file, why);
            return null;
        }
        try
        {
            file.Spec.Canceled.ThrowIfCancellationRequested();
            file.Content.Prepare();
            if (file.Segment is null && file.Attempts.Count == 0) file.Journaled?.Taken();
            file = _segments.BeginWhereItPays(file);
            if (file.Verify == VerificationMode.Hash && (file.Segment is not null || !file.Spec.IsWhole))
            {
                throw new TransferException(TransferError.Unsupported,
                    $"{file.RemotePath}: the hash of a part does not verify the whole.")
                { RemotePath = file.RemotePath };
            }

            file.Attempts.Count++;
        }
        catch (TransferException e)
        {
            if (e.IsTransient) file.Attempts.Count++;
            _ = _settling.NotOpenedAsync(file, e);
            return null;
        }
        catch (OperationCanceledException)
        {
            _ = _settling.DropAsync(file, null);
            return null;
        }
        var item = new JobItem(run, this, file,
            file.Segment is { } segment ? segment.Whole.TemporaryPath : _context.NewTemporaryPath(file));
        if (ItemVerdict.Continued(item) is > 0 and var kept) Owner.OnBytesMoved(kept);
        run.Opened(item);
        return item;
    }

    /// <summary>Releases a file that a session has taken and not begun.</summary>
    public void NotBegun(WorkerSource run)
    {
        lock (_gate) ReleasedLocked(run);
    }

    /// <summary>Settles an item that a session has completed. Returns at once.</summary>
    public void Settle(JobItem item, WorkOutcome outcome, WorkerSource run)
    {
        lock (_gate)
        {
            _standing.SettlingLocked++;
            ReleasedLocked(run);
        }
        _ = _settling.SettleAsync(item, outcome);
    }

    /// <summary>Counts a session that has got files of the job, and had none before.</summary>
    public void AddBusyLocked() => ChangeBusyLocked(1);

    /// <inheritdoc cref="JobStanding.MayHaveSessionLocked"/>
    public void MayHaveSessionLocked() => _standing.MayHaveSessionLocked();

    /// <inheritdoc cref="JobStanding.ServedLocked"/>
    public void ServeLocked(WorkerSource run) => _standing.ServedLocked(run);

    /// <inheritdoc cref="JobStanding.PartedLocked"/>
    public void EndServiceLocked(WorkerSource run)
    {
        _standing.PartedLocked(run);
        _line.EndLocked();
    }

    /// <summary>Records that no session can be had any more. The caller drops the files in line, outside the lock.</summary>
    public void DieLocked(TransferException error) => _standing.SetNoSessionLocked(error);

    /// <summary>Ends the files in line.</summary>
    /// <param name="butSegments">Whether the missing segments of files under way stay.</param>
    public void DropQueue(bool butSegments = false)
    {
        var files = _line.TakeAll(butSegments);
        var dead = Dead;
        foreach (var file in files) _ = _settling.DropAsync(file, dead);
    }

    public void Dispose()
    {
        _onAbort.Dispose();
        _onFinish.Dispose();
        _pause.Unwatch(OnPause);
        _scheduler.Remove(this);
        _stopFiles.Dispose();
        _segments.Dispose();
        _finisher.Dispose();
    }

    private Task OpenAheadAsync(WorkKind? kind, Func<int> sessions) =>
        _scheduler.PrepareIfLongAsync(() => Math.Min(sessions(), _most), kind, _context.Abort);

    // Files that sessions have are cancelled one by one, or with the session.
    private void Abort()
    {
        DropQueue();
        WorkerSource[] own, shared;
        lock (_gate)
        {
            WorkerSource[] holding = [.. _standing.RunsLocked.Where(run => run.HoldsLocked(this))];
            own = [.. holding.Where(run => run.HoldsOnlyLocked(static job => job.IsAborted))];
            shared = [.. holding.Except(own)];
        }
        foreach (var run in own) run.GiveUp();
        _stopFiles.Cancel();
        if (shared.Length > 0) _ = BreakLaterAsync(shared);
    }

    // A shared session gets time to finish with the cancelled files, for the sake of other jobs' files; then the session breaks.
    private async Task BreakLaterAsync(WorkerSource[] shared)
    {
        await Task.Delay(CleanUpTime, _context.Time).ConfigureAwait(false);
        WorkerSource[] late;
        lock (_gate) late = [.. shared.Where(run => run.HoldsLocked(this))];
        foreach (var run in late)
            run.Session.Break(new TransferConnectionException(TransferError.Lost, "The session was given up in mid-exchange."));
    }

    private void OnPause(bool isPaused)
    {
        lock (_gate)
        {
            IsPausedLocked = isPaused;
            _scheduler.PausedLocked(this);
        }
    }

    private void ReleasedLocked(WorkerSource run)
    {
        if (run.ReleaseLocked(this)) ChangeBusyLocked(-1);
    }

    private void ChangeBusyLocked(int change)
    {
        if (Contents == JobContents.FedBySessions) _scheduler.FedLocked += change;
        _standing.ChangeBusyLocked(change);
    }
}
