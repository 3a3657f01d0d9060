using Microsoft.Extensions.Logging;
using Transfer.Engine.Flow;
using Transfer.Sessions;

namespace Transfer.Engine;

/// <summary>
/// The files of one job in the client's <see cref="Scheduler"/>: its line, which sessions are at them, and its end. The segments of large files, and what becomes of the items
/// are in the other parts of this class.
/// </summary>
internal sealed partial class Dispatcher : IDisposable
{
    /// <summary>Most files in line; whoever adds more waits.</summary>
    internal const int Capacity = 4096;

    // A session that has not come to the end of cancelled files after this is given up.
    private static readonly TimeSpan CleanUpTime = TimeSpan.FromSeconds(5);

    private readonly Scheduler _scheduler;
    private readonly Lock _gate; // the scheduler's
    private readonly LinkedList<JobFile> _queue = new();
    private readonly SessionPool _pool;
    private readonly ILogger _logger;
    private readonly TimeProvider _time;
    private readonly CancellationToken _abort;
    private readonly CancellationToken _finish; // nothing more is to begin
    private readonly CancellationTokenRegistration _onAbort;
    private readonly CancellationTokenRegistration _onFinish;
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenSource _stopFiles = new();
    private readonly HashSet<WorkerSource> _runs = []; // that have files of the job, or had them last
    private readonly int _usual;
    private readonly int _most;
    private TaskCompletionSource? _room;
    private TransferException? _dead;
    private int _unsettled; // files added and not ended
    private int _expected; // files that are on their way
    private bool _everRan;
    private bool _noMore;

    /// <param name="engine">The client's.</param>
    /// <param name="limits">How many sessions and segments to use.</param>
    /// <param name="owner">Is told what happens.</param>
    /// <param name="abort">Fires when the job is given up.</param>
    /// <param name="finish">Fires when nothing more is to begin.</param>
    public Dispatcher(ClientEngine engine, JobLimits limits, IDispatcherOwner owner, CancellationToken abort, CancellationToken finish = default)
    {
        _scheduler = engine.Scheduler;
        _gate = _scheduler.Gate;
        _pool = engine.Pool;
        _most = Math.Max(1, Math.Min(limits.Sessions ?? int.MaxValue, engine.MaxSessions));
        _usual = Math.Min(limits.Sessions ?? engine.UsualSessions, _most);
        OwnSessions = limits.Sessions is null ? null : _most;
        _segmentsAsked = limits.Segments;
        Contents = limits.Contents;
        Owner = owner;
        Flow = engine.Flow;
        _logger = engine.Logger;
        _time = engine.Time;
        _abort = abort;
        _finish = finish;
        _retriesLeft = _pool.Retry.Budget;
        _leftovers = engine.Leftovers;
        _lengths = engine.Lengths;
        _scheduler.Join(this);
        _onAbort = abort.UnsafeRegister(static self => ((Dispatcher)self!).Abort(), this);
        _onFinish = finish.UnsafeRegister(static self => ((Dispatcher)self!).DropQueue(butSegments: true), this);
    }

    public IDispatcherOwner Owner { get; }

    /// <summary>What holds content back; null: nothing.</summary>
    public ContentFlow? Flow { get; }

    /// <summary>The sessions that the job asks for; null: as many as pay.</summary>
    public int? OwnSessions { get; }

    /// <summary>Its contents wait for somebody else: an application's stream, or another session. Each of its sessions has files of this job only.</summary>
    public bool IsExclusive => Contents != JobContents.Here;

    /// <summary>Where the other end of its files is.</summary>
    public JobContents Contents { get; }

    /// <summary>Which way all of the job's files go: sessions that are opened for them get ready for that. Null: not all go the same way.</summary>
    public WorkKind? FilesGo { get; set; }

    /// <summary>Whether the server takes uploads in segments, of a protocol in which it cannot say so; null: it says so itself.</summary>
    public SegmentProbe? Probe { get; init; }

    /// <summary>Ends when there will be no more files and each has ended.</summary>
    public Task Completion => _completion.Task;

    /// <summary>Most sessions that were at its files at once.</summary>
    public int PeakSessions { get; private set; }

    /// <summary>Files in line.</summary>
    public int Queued
    {
        get { lock (_gate) return WaitingLocked; }
    }

    /// <summary>Files in line.</summary>
    public int WaitingLocked => _queue.Count + _long.Count;

    /// <summary>Files that were added and have not ended.</summary>
    public int UnsettledLocked => _unsettled;

    /// <summary>Files that will be there for sessions, as far as that is known.</summary>
    public int ExpectedLocked => _noMore ? WaitingLocked : Math.Max(_expected, WaitingLocked);

    /// <summary>Sessions that have files of it.</summary>
    public int BusyLocked
    {
        get;
        set
        {
            if (Contents == JobContents.FedByOthers) _scheduler.FedLocked += value - field;
            field = value;
            PeakSessions = Math.Max(PeakSessions, value);
        }
    }

    /// <summary>How many sessions it may have now.</summary>
    public int MostLocked => Math.Min(_most, Math.Max(OwnSessions ?? _scheduler.SharedAllowed, _segmented.Count > 0 ? MostForSegments : 0));

    /// <summary>One more session may have files of it.</summary>
    public bool MayHaveAnotherLocked => BusyLocked < MostLocked && !(Contents == JobContents.FedByOthers && _scheduler.IsFedEnoughLocked);

    /// <summary>It is not given up, and may have more files under way.</summary>
    public bool MayTakeLocked => !_abort.IsCancellationRequested && _settling < MaxSettling;

    /// <summary>So many sessions more would have something to do.</summary>
    public int WantedLocked => MayTakeLocked && !LacksPlace ? Math.Clamp(WaitingLocked + RoomInSegments(), 0, Math.Max(0, MostLocked - BusyLocked)) : 0;

    /// <summary>Files may still be put in line.</summary>
    public bool MayGetMoreLocked => !_noMore && !_abort.IsCancellationRequested;

    /// <summary>It was given up.</summary>
    public bool IsAborted => _abort.IsCancellationRequested;

    /// <summary>Why no session can be had any more, or null.</summary>
    public TransferException? Dead
    {
        get { lock (_gate) return _dead; }
    }

    /// <summary>Why there never was a session: nothing was done for any file. Null while that is not so.</summary>
    public TransferException? Fatal
    {
        get { lock (_gate) return _everRan ? null : _dead; }
    }

    /// <summary>There has been a session for its files.</summary>
    public bool HasRun
    {
        get { lock (_gate) return _everRan; }
    }

    /// <summary>Adds a file, waiting for room.</summary>
    /// <exception cref="TransferException">No session could be opened at all.</exception>
    public async ValueTask EnqueueAsync(JobFile file, CancellationToken ct)
    {
        while (true)
        {
            Task room;
            lock (_gate)
            {
                if (_dead is not null && !_everRan) throw _dead;
                if (WaitingLocked < Capacity || _dead is not null) break;
                room = (_room ??= new(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
            }
            await room.WaitAsync(ct).ConfigureAwait(false);
        }
        Enqueue(file);
    }

    /// <summary>Adds a file whatever the room; for those whose number something else bounds.</summary>
    public void Enqueue(JobFile file)
    {
        TransferException? dead;
        file.Given(_stopFiles.Token);
        lock (_gate)
        {
            SettleLocked(1);
            dead = _dead;
            if (dead is null && !_abort.IsCancellationRequested && !IsLeftOut(file))
            {
                Line(file);
                LinedLocked(1);
                return;
            }
        }
        _ = DropAsync(file, dead);
    }

    /// <summary>Says that no file will be added any more.</summary>
    public void Complete()
    {
        lock (_gate)
        {
            _noMore = true;
            _scheduler.DismissWaitingLocked();
            CheckCompletionLocked();
        }
    }

    /// <summary>Makes a directory and those above it, as far as they are missing. True: it was not there before.</summary>
    public ValueTask<bool> EnsureAsync(string folder, CancellationToken ct, UnixFileMode? mode = null) =>
        ControlAsync((session, token) => RemoteDirectories.EnsureAsync(session, folder, token, mode), retry: true, ct);

    /// <summary>Deletes files; why not, or null, for each, in order.</summary>
    public ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        ControlAsync((session, token) => session.DeleteFilesAsync(paths, token), retry: true, ct);

    /// <summary>Has sessions opened for files that are on their way: what a log-in costs then passes beside what has to be done before them.</summary>
    public void Expect(int files)
    {
        if (_abort.IsCancellationRequested) return;
        int most;
        lock (_gate)
        {
            _expected = Math.Max(_expected, files);
            _scheduler.LookAtTheLinkLocked();
            most = MostLocked;
        }
        _pool.Prepare(Math.Min(files, most), FilesGo);
    }

    /// <summary>Runs something on a session of the same pool; a worker makes room for it if need be.</summary>
    public ValueTask<T> ControlAsync<T>(Func<TransferSession, CancellationToken, ValueTask<T>> action, bool retry, CancellationToken ct)
    {
        if (Dead is { } dead) throw dead;
        return _scheduler.ControlAsync(action, retry, ct);
    }

    /// <summary>Content bytes were moved.</summary>
    public void Moved(long bytes)
    {
        _scheduler.Moved(bytes);
        Owner.Moved(bytes);
    }

    /// <summary>Sessions are at work that may come to its files.</summary>
    public void MayHaveSessionLocked() => _everRan = true;

    /// <summary>A session has files of the job for the first time in its run.</summary>
    public void ServedLocked(WorkerSource run)
    {
        _everRan = true;
        _runs.Add(run);
    }

    /// <summary>A session that has taken a file has not begun with it.</summary>
    public void NotBegun(WorkerSource run)
    {
        lock (_gate) ReleasedLocked(run);
    }

    /// <summary>A session that had files of the job has ended its run, or goes on with other jobs'.</summary>
    public void PartedLocked(WorkerSource run)
    {
        _runs.Remove(run);
        CheckCompletionLocked();
    }

    /// <summary>No session can be had any more. The files in line are dropped by the caller, outside the lock.</summary>
    public void DieLocked(TransferException error) => _dead ??= error;

    public void Dispose()
    {
        _onAbort.Dispose();
        _onFinish.Dispose();
        _scheduler.Part(this);
        _stopFiles.Dispose();
        _sharing?.Dispose();
        _finishing.Dispose();
    }

    /// <summary>Makes an item of a file that a session takes; null: there is none, and the file is seen to.</summary>
    public JobItem? Prepare(WorkerSource run, JobFile file)
    {
        file.Attempts.Started ??= _time.GetTimestamp();
        if (WhyNotRenamed(file) is { } why)
        {
            _ = GoDirectAsync(file, why);
            return null;
        }
        try
        {
            file.Spec.Canceled.ThrowIfCancellationRequested();
            file.Content.Prepare();
            if (file.Segment is null && file.Attempts.Count == 0) file.Journaled?.Taken();
            if (file.Attempts.GoesOnAt is null && (ContinuesInRanges(file) || MayHaveSegments(file))) file = BeginSegments(file);
            if (file.Verify == VerificationMode.Hash && (file.Segment is not null || !file.Spec.IsWhole))
                throw new TransferException(TransferError.Unsupported, $"{file.RemotePath}: the hash of a part says nothing of the whole.") { RemotePath = file.RemotePath };
            file.Attempts.Count++;
        }
        catch (TransferException e) when (e.IsTransient)
        {
            file.Attempts.Count++;
            _ = MayTryAgain(file) ? AgainLaterAsync(file, e) : DropAsync(file, e);
            return null;
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            _ = DropAsync(file, e as TransferException);
            return null;
        }
        var item = new JobItem(run, this, file, file.Segment is { } segment ? segment.Whole.TemporaryPath : NewTemporaryPath(file));
        if (Continued(item) is > 0 and var kept) Owner.Moved(kept);
        run.Opened(item);
        return item;
    }

    private string? NewTemporaryPath(JobFile file, bool isDivided = false)
    {
        if (file is not { Kind: WorkKind.Upload, Publish: PublishMode.Rename }) return null;
        if (file.Journaled?.Continuation is { } continuation) return continuation.Temporary;
        var path = UnusedPath(file);
        file.Journaled?.Began(path, isDivided);
        return path;
    }

    private string UnusedPath(JobFile file) => RemotePath.Combine(file.Spec.TemporaryFolder ?? RemotePath.GetParent(file.RemotePath) ?? "/", Owner.NextTemporaryName());

    // What is missing of files that are under way may be worth finishing.
    public void DropQueue(bool butSegments = false)
    {
        JobFile[] files;
        TransferException? dead;
        lock (_gate)
        {
            JobFile[] stay = [.. _queue.Where(file => butSegments && file.Segment is not null)];
            files = [.. _queue.Except(stay), .. _long.UnorderedItems.Select(item => item.Element)];
            _queue.Clear();
            _long.Clear();
            foreach (var part in stay) _queue.AddLast(part);
            dead = _dead;
            MakeRoom();
            _scheduler.LinedLocked(this);
            _scheduler.DismissWaitingLocked();
        }
        foreach (var file in files) _ = DropAsync(file, dead);
    }

    // What sessions have of it is cancelled, file by file, or with the session.
    private void Abort()
    {
        DropQueue();
        WorkerSource[] own, shared;
        lock (_gate)
        {
            own = [.. _runs.Where(run => run.HoldsLocked(this) && run.HoldsOnlyLocked(static job => job.IsAborted))];
            shared = [.. _runs.Where(run => run.HoldsLocked(this)).Except(own)];
        }
        foreach (var run in own) run.GiveUp();
        _stopFiles.Cancel();
        if (shared.Length > 0) _ = BreakLaterAsync(shared);
    }

    // A session does not come to an end of what was cancelled, for the sake of other jobs' files that it has too.
    private async Task BreakLaterAsync(WorkerSource[] shared)
    {
        await Task.Delay(CleanUpTime, _time).ConfigureAwait(false);
        WorkerSource[] late;
        lock (_gate) late = [.. shared.Where(run => run.HoldsLocked(this))];
        foreach (var run in late) run.Session.Break(new TransferConnectionException(TransferError.Lost, "The session was given up in mid-exchange."));
    }

    private void MakeRoom()
    {
        _room?.TrySetResult();
        _room = null;
    }

    // Files were put in line.
    private void LinedLocked(int files)
    {
        _scheduler.LinedLocked(this);
        _scheduler.SayMoreLocked(files);
        _scheduler.StartWorkersLocked();
    }

    private void ReleasedLocked(WorkerSource run)
    {
        if (run.ReleaseLocked(this)) BusyLocked--;
    }

    private void SettleLocked(int change)
    {
        _unsettled += change;
        _scheduler.UnsettledLocked(change);
    }

    private void CheckCompletionLocked()
    {
        if (!_noMore || _unsettled > 0 || _runs.Count > 0 || !_completion.TrySetResult()) return;
        _scheduler.Part(this);
        _scheduler.DismissWaitingLocked();
    }
}
