using Microsoft.Extensions.Logging;
using Transfer.Engine.Flow;
using Transfer.Sessions;

namespace Transfer.Engine;

/// <summary>
/// Gives the files of a job to the sessions of one client: a queue, and workers that lease a session only while there
/// is something in the queue, or to be shared of a large file. The workers, the segments of large files, and what becomes of the items
/// are in the other parts of this class.
/// </summary>
internal sealed partial class Dispatcher : IDisposable
{
    /// <summary>Most files in line; whoever adds more waits.</summary>
    internal const int Capacity = 4096;

    private readonly Lock _gate = new();
    private readonly LinkedList<JobFile> _queue = new();
    private readonly SessionPool _pool;
    private readonly ILogger _logger;
    private readonly TimeProvider _time;
    private readonly CancellationToken _abort;
    private readonly CancellationToken _finish; // nothing more is to begin
    private readonly CancellationTokenRegistration _onAbort;
    private readonly CancellationTokenRegistration _onFinish;
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private TaskCompletionSource? _room;
    private CancellationTokenSource _drained = new();
    private TransferException? _dead;
    private readonly int _usual;
    private int _maxWorkers;
    private int _alive; // workers that live
    private int _coming; // those of them that have no session yet
    private int _yielding; // sessions on their way back because somebody waits
    private int _controlWaiting; // this job's own waiters for a session that are no workers
    private int _unsettled; // files added and not ended
    private long _added; // files that were put in line
    private TaskCompletionSource? _more;
    private bool _everRan;
    private bool _noMore;

    public Dispatcher(SessionPool pool, Leftovers leftovers, JobLimits limits, IDispatcherOwner owner, ILogger logger, TimeProvider time, CancellationToken abort, CancellationToken finish = default)
    {
        _pool = pool;
        _maxWorkers = Math.Max(1, Math.Min(limits.Sessions ?? int.MaxValue, limits.Most));
        _usual = Math.Min(limits.Sessions ?? limits.Usual, _maxWorkers);
        _ramp = limits.Sessions is null ? SessionRamp.ForFiles(_usual) : new SessionRamp(_usual, _usual);
        _segmentsAsked = limits.Segments;
        Owner = owner;
        _logger = logger;
        _time = time;
        _abort = abort;
        _finish = finish;
        _retriesLeft = pool.Retry.Budget;
        _leftovers = leftovers;
        _looks = new LookLine(paths => ControlAsync((session, ct) => LengthLook.GetAllAsync(session, paths, ct), retry: true, _abort));
        _onAbort = abort.UnsafeRegister(static self => ((Dispatcher)self!).DropQueue(), this);
        _onFinish = finish.UnsafeRegister(static self => ((Dispatcher)self!).DropQueue(butSegments: true), this);
    }

    public IDispatcherOwner Owner { get; }

    /// <summary>What holds content back; null: nothing.</summary>
    public ContentFlow? Flow { get; init; }

    /// <summary>Where the sessions that move files are told of; null: nowhere.</summary>
    public LaneBoard? Lanes { get; init; }

    /// <summary>Whether the server takes uploads in segments, of a protocol in which it cannot say so; null: it says so itself.</summary>
    public SegmentProbe? Probe { get; init; }

    /// <summary>Ends when there will be no more files and each has ended.</summary>
    public Task Completion => _completion.Task;

    /// <summary>Most sessions that ran at once.</summary>
    public int PeakSessions { get; private set; }

    /// <summary>Files in line.</summary>
    public int Queued
    {
        get { lock (_gate) return Waiting; }
    }

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
                if (Waiting < Capacity || _dead is not null) break;
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
        lock (_gate)
        {
            _unsettled++;
            dead = _dead;
            if (dead is null && !_abort.IsCancellationRequested && !IsLeftOut(file))
            {
                Line(file);
                SayMore(1);
                StartWorkers();
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
            DismissWaitingWorkers();
            CheckCompletion();
        }
    }

    /// <summary>Makes a directory and those above it, as far as they are missing. True: it was not there before.</summary>
    public ValueTask<bool> EnsureAsync(string folder, CancellationToken ct, UnixFileMode? mode = null) =>
        ControlAsync((session, token) => RemoteDirectories.EnsureAsync(session, folder, token, mode), retry: true, ct);

    /// <summary>Deletes files; why not, or null, for each, in order.</summary>
    public ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        ControlAsync((session, token) => session.DeleteFilesAsync(paths, token), retry: true, ct);

    /// <summary>Runs something on a session of the same pool; a worker makes room for it if need be.</summary>
    public async ValueTask<T> ControlAsync<T>(Func<TransferSession, CancellationToken, ValueTask<T>> action, bool retry, CancellationToken ct)
    {
        if (Dead is { } dead) throw dead;
        Interlocked.Increment(ref _controlWaiting);
        var waiting = 1;
        try
        {
            return await _pool.UseAsync((session, token) =>
            {
                Interlocked.Add(ref _controlWaiting, -Interlocked.Exchange(ref waiting, 0));
                return action(session, token);
            }, retry, ct).ConfigureAwait(false);
        }
        finally
        {
            Interlocked.Add(ref _controlWaiting, -Interlocked.Exchange(ref waiting, 0));
        }
    }

    /// <summary>Takes a fair share for one session; see <see cref="IWorkSource.TakeAsync"/>.</summary>
    public int Take(WorkerSource run, Span<WorkItem> into)
    {
        var count = 0;
        while (count == 0)
        {
            var files = TakeFiles(run, into.Length);
            if (files.Length == 0) return 0;
            foreach (var file in files)
            {
                if (Prepare(run, file) is { } item) into[count++] = item;
            }
        }
        return count;
    }

    /// <summary>Files wait that no session has taken yet.</summary>
    public bool HasQueued
    {
        get { lock (_gate) return Waiting > 0; }
    }

    /// <summary>See <see cref="IWorkSource.WhenMoreAsync"/>.</summary>
    public Task WhenMoreAsync(WorkerSource run)
    {
        lock (_gate)
        {
            if (run.Seen != _added && !run.IsDismissed) return Task.CompletedTask;
            return (_more ??= new(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }
    }

    public void Dispose()
    {
        _onAbort.Dispose();
        _onFinish.Dispose();
        _sharing?.Dispose();
        _ramping?.Dispose();
        _drained.Dispose();
        _finishing.Dispose();
    }

    private JobFile[] TakeFiles(WorkerSource run, int asked)
    {
        lock (_gate)
        {
            run.Seen = _added;
            if (_abort.IsCancellationRequested || _settling >= MaxSettling || run.IsDismissed) return [];
            if (Waiting == 0 && _segmented.Count == 0) return [];
            if (WaitsForResume()) return [];
            if (run.Took && MustYield())
            {
                run.Yielded = true;
                _yielding++;
                return [];
            }
            if (run.Took && _alive - _leaving > AllowedWorkers)
            {
                run.Leaves = true;
                _leaving++;
                return [];
            }
            if (Waiting == 0) return ShareSegment() is { } part ? [part] : [];
            SortOut();
            var sessions = Math.Clamp(_alive, 1, Math.Max(1, _pool.Limit));
            // Of all that is not done yet, so that something is left for the sessions that are still being opened.
            var fair = (_unsettled + sessions - 1) / sessions - run.OpenCount;
            var share = Math.Clamp(fair, 0, Math.Min(asked, Waiting));
            JobFile[] files = share > 0 && TakeLong(sessions) is { } file ? [file] : TakeNext(share);
            if (Waiting <= Capacity * 3 / 4) MakeRoom();
            if (Waiting == 0) DismissWaitingWorkers();
            return files;
        }
    }

    // Called under the lock.
    private void SayMore(int files)
    {
        _added += files;
        _more?.SetResult();
        _more = null;
    }

    // The pool's line is first in, first out: whoever waits there gets the session as soon as a worker returns it. Workers
    // of this job in the line are no reason: they would do the same work.
    private bool MustYield() =>
        Math.Max(Volatile.Read(ref _controlWaiting), _pool.WaitingCount - _coming) > _yielding;

    private JobItem? Prepare(WorkerSource run, JobFile file)
    {
        file.Started ??= _time.GetTimestamp();
        if (WhyNotRenamed(file) is { } why)
        {
            _ = GoDirectAsync(file, why);
            return null;
        }
        try
        {
            file.Canceled.ThrowIfCancellationRequested();
            file.Content.Prepare();
            if (file.Segment is null && file.Attempts == 0) file.Journaled?.Taken();
            if (file.GoesOnAt is null && (ContinuesInRanges(file) || MayHaveSegments(file))) file = BeginSegments(file);
            if (file.Verify == VerificationMode.Hash && (file.Segment is not null || file.Offset != 0 || file.End != long.MaxValue))
                throw new TransferException(TransferError.Unsupported, $"{file.RemotePath}: the hash of a part says nothing of the whole.") { RemotePath = file.RemotePath };
            file.Attempts++;
        }
        catch (TransferException e) when (e.IsTransient)
        {
            file.Attempts++;
            _ = MayTryAgain(file) ? AgainLaterAsync(file, e) : DropAsync(file, e);
            return null;
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            _ = DropAsync(file, e as TransferException);
            return null;
        }
        var item = new JobItem(run, file, file.Segment is { } segment ? segment.Whole.TemporaryPath : NewTemporaryPath(file));
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

    private string UnusedPath(JobFile file) => RemotePath.Combine(file.TemporaryFolder ?? RemotePath.GetParent(file.RemotePath) ?? "/", Owner.NextTemporaryName());

    // What is missing of files that are under way may be worth finishing.
    private void DropQueue(bool butSegments = false)
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
            DismissWaitingWorkers();
        }
        foreach (var file in files) _ = DropAsync(file, dead);
    }

    private void MakeRoom()
    {
        _room?.TrySetResult();
        _room = null;
    }

    private void DismissWaitingWorkers()
    {
        if (Waiting > 0 || _segmented.Count > 0 || _coming == 0 || !(_noMore || _abort.IsCancellationRequested)) return;
        var drained = _drained;
        _drained = new CancellationTokenSource();
        _ = drained.CancelAsync();
    }

    private void CheckCompletion()
    {
        if (_noMore && _unsettled == 0 && _alive == 0) _completion.TrySetResult();
    }
}
