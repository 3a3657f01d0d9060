using Microsoft.Extensions.Logging;
using Transfer.Engine.Files;
using Transfer.Pooling;
using Transfer.Sessions;

namespace Transfer.Engine.Scheduling;

/// <summary>
/// Gives the files of all jobs of one client to the sessions: one crew of workers, one ramp, one limit. Jobs stand in a ring and are
/// served in turn, so that a single file begins as soon as the next one of a folder, and is sent in the same write. A worker leases a
/// session only while there are files to move. Members named <c>…Locked</c> are called under <see cref="Gate"/>, the one lock of the
/// scheduler and of the jobs' lines.
/// </summary>
internal sealed class Scheduler : IWorkerOwner, IDisposable
{
    private readonly SessionPool _pool;
    private readonly TimeProvider _time;
    private readonly int _most;
    private readonly CancellationToken _closing;
    private readonly JobBoard<Dispatcher> _board = new();
    private readonly Crew _crew;
    private readonly WorkerLoop _workers;
    private readonly SharedRamp _ramp;
    private readonly PayingSessions _paying;
    private TaskCompletionSource? _more;
    private long _added; // files that were put in line
    private int _unsettled; // files of all jobs that were added and have not ended
    private int _controlWaiting; // calls of the jobs that wait for a session
    private int _paused; // the number of paused jobs

    /// <param name="pool">The pool of the client.</param>
    /// <param name="most">The most sessions at work.</param>
    /// <param name="beyond">The same for small files on a long link; 0: no more than usual.</param>
    /// <param name="usual">The number of sessions where no job's options name one.</param>
    /// <param name="traits">The traits of the protocol.</param>
    /// <param name="lanes">The board of the sessions that move files.</param>
    /// <param name="logger">The log.</param>
    /// <param name="time">The clock.</param>
    /// <param name="closing">Fires when the client is disposed.</param>
    public Scheduler(SessionPool pool, int most, int beyond, Func<int> usual, Func<SessionTraits> traits, LaneBoard lanes, ILogger logger,
        TimeProvider time, CancellationToken closing)
    {
        (_pool, _most, _time, _closing) = (pool, most, time, closing);
        _crew = new Crew(Math.Max(most, beyond));
        _workers = new WorkerLoop(this, _crew, pool, lanes, logger, closing);
        _ramp = new SharedRamp(pool, most, beyond, usual, time, Ramp);
        _paying = new PayingSessions(_board, pool, traits);
    }

    /// <summary>The lock.</summary>
    public Lock Gate { get; } = new();

    /// <summary>Whether files wait that no session has taken yet.</summary>
    public bool HasQueued
    {
        get { lock (Gate) return AnyWaitingLocked; }
    }

    /// <summary>The number of workers that have no session yet.</summary>
    public int ComingLocked => _crew.Count(WorkerState.Waiting);

    /// <summary>Whether files of any job wait.</summary>
    public bool AnyWaitingLocked => _board.Ring.Any;

    /// <summary>The runs of sessions under way.</summary>
    public IReadOnlyCollection<WorkerSource> RunsLocked => _workers.RunsLocked;

    /// <summary>The number of sessions that wait for bytes which other sessions read.</summary>
    public int FedLocked { get; set; }

    /// <summary>
    /// Returns whether no further session may wait for bytes that other sessions read: where sessions of this client also feed other ones,
    /// one session is reserved for that. Two copies in opposite directions would wait for each other's sessions for ever.
    /// </summary>
    /// <param name="mayTakeLast">Whether a client with one session only may use that one all the same.</param>
    public bool IsFedEnoughLocked(bool mayTakeLast) =>
        FedLocked >= Math.Max(mayTakeLast ? 1 : 0, Math.Min(_most, _pool.Limit) - 1) && _board.AnyFeeding;

    /// <summary>
    /// The number of sessions that all jobs may have together, as far as the known work pays for them: see <see cref="SessionWorth"/>.
    /// </summary>
    public int AllowedLocked
    {
        get
        {
            var most = MostLocked;
            if (!_board.AnySharing || _board.Dividing.Count > 0) return most;
            // Until the first session is open, or proves to take long, nothing is known: neither the cost of further ones nor the password.
            var ramped = _ramp.Allowed > _most && !_paying.AreSmallLocked ? _most : _ramp.Allowed;
            var paying = _pool.LastFeatures is null && !_ramp.IsOpenedUp ? 1 : _paying.CountLocked(ramped);
            return Math.Min(most, paying + _board.OwnSessions);
        }
    }

    /// <inheritdoc cref="PayingSessions.LogInsLocked"/>
    public int PayingLogIns
    {
        get { lock (Gate) return _paying.LogInsLocked; }
    }

    /// <summary>The number of sessions of a job with none in the options, apart from the segments of a large file.</summary>
    public int SharedAllowed => _ramp.Allowed;

    /// <summary>Whether there are as many sessions as a long network link is worth.</summary>
    public bool IsRampedForLongLink => _ramp.IsOpenedUp;

    /// <inheritdoc cref="SharedRamp.IsLinkLong"/>
    public bool IsLinkLong => _ramp.IsLinkLong;

    public bool MayStartLocked =>
        _crew.Alive < MostLocked && _board.IsWanted(ComingLocked) && _crew.Alive < AllowedLocked && !_closing.IsCancellationRequested;

    public bool MayGoOnLocked => _board.IsWanted(0) && _crew.Alive <= AllowedLocked && !_closing.IsCancellationRequested;

    public bool HasNothingToComeLocked => !AnyWaitingLocked && _board.Dividing.Count == 0 && !_board.MayGetMore;

    /// <summary>Adds a job.</summary>
    public void Add(Dispatcher job)
    {
        lock (Gate)
        {
            if (_board.IsEmpty) _ramp.ResetLocked();
            _board.Add(job);
            _pool.BeginJob();
        }
    }

    /// <summary>Removes a job that has no files any more.</summary>
    public void Remove(Dispatcher job)
    {
        lock (Gate)
        {
            _board.Remove(job);
            if (_board.IsEmpty) _ramp.EndLocked();
            // The session reserved for the job is free.
            if (job.Contents == JobContents.FeedsSessions) StartWorkersLocked();
        }
    }

    /// <inheritdoc cref="JobBoard{TJob}.Lined"/>
    public void LinedLocked(Dispatcher job) => _board.Lined(job);

    /// <inheritdoc cref="JobBoard{TJob}.Divides"/>
    public void DividesLocked(Dispatcher job, bool divides) => _board.Divides(job, divides);

    /// <inheritdoc cref="JobBoard{TJob}.IsMoreThan"/>
    public bool IsMoreThanLocked(double files) => _board.IsMoreThan(files);

    /// <summary>Whether a job of the client is paused: the sessions are then kept.</summary>
    public bool HasPaused => Volatile.Read(ref _paused) > 0;

    /// <summary>
    /// Reports that a job was paused, or goes on. The sessions of a paused job return to the pool, where other jobs can lease them.
    /// </summary>
    public void PausedLocked(Dispatcher job)
    {
        _paused += job.IsPausedLocked ? 1 : -1;
        LinedLocked(job);
        if (job.IsPausedLocked) return;
        SignalMoreLocked(0);
        StartWorkersLocked();
    }

    /// <summary>Returns the number of sessions that pay for the segments of a large file.</summary>
    public int PayingForSegments(long length, int most) => SessionWorth.ForSegments(_paying.LogIn, length, most);

    /// <summary>Returns the number of sessions that pay for requests that take so many round trips on one session.</summary>
    public int PayingForFlights(long flights, int most) => SessionWorth.ForFlights(_paying.LogIn, flights, most);

    /// <summary>Opens sessions ahead, at the pace at which the server is done with log-ins.</summary>
    public void Prepare(int sessions, WorkKind? kind) => _pool.Prepare(sessions, kind, () => _paying.LogIn.Interval);

    /// <summary>Opens sessions ahead where the first one takes long because of round trips, or has taken long.</summary>
    /// <param name="sessions">Returns the number of sessions in all.</param>
    /// <param name="kind">The kind of work expected first; null: unknown.</param>
    /// <param name="ct">Stops waiting for the first session to prove slow.</param>
    public async Task PrepareIfLongAsync(Func<int> sessions, WorkKind? kind, CancellationToken ct)
    {
        try
        {
            if (_pool.Open == 0) await Task.Delay(SessionPool.LongOpening, _time, ct).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            return;
        }
        if (IsLinkLong) Prepare(sessions(), kind);
    }

    /// <summary>Reports to waiting sessions that files have been put in line.</summary>
    public void SignalMoreLocked(int files)
    {
        _added += files;
        _more?.SetResult();
        _more = null;
    }

    /// <summary>Counts files that were added to a job, or have ended.</summary>
    public void UnsettledLocked(int change) => _unsettled += change;

    /// <summary>Counts content bytes that were moved.</summary>
    public void Moved(long bytes) => _ramp.Moved(bytes);

    /// <summary>Counts a file of which a session moves the first bytes.</summary>
    public void FileBegun() => _ramp.FileBegun();

    /// <summary>Begins to measure the network link, for the jobs with no number of sessions in the options.</summary>
    public void WatchLinkLocked()
    {
        if (_board.AnySharing) _ramp.WatchLocked();
    }

    /// <inheritdoc cref="WorkerLoop.StartLocked"/>
    public void StartWorkersLocked()
    {
        if (AnyWaitingLocked) WatchLinkLocked();
        _workers.StartLocked();
    }

    /// <inheritdoc cref="WorkerLoop.DismissWaitingLocked"/>
    public void DismissWaitingLocked() => _workers.DismissWaitingLocked();

    /// <summary>See <see cref="IWorkSource.WhenMoreAsync"/>.</summary>
    public Task WhenMoreAsync(WorkerSource run)
    {
        lock (Gate)
        {
            if (run.Seen != _added && !run.Worker.IsDismissed) return Task.CompletedTask;
            return (_more ??= new(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }
    }

    /// <summary>Runs an action on a session of the same pool; a worker makes room if need be.</summary>
    public async ValueTask<T> ControlAsync<T>(Func<TransferSession, CancellationToken, ValueTask<T>> action, bool retry,
        CancellationToken ct)
    {
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
            if (files.Count == 0) return 0;
            foreach (var (job, file) in files)
            {
                if (job.Prepare(run, file) is { } item) into[count++] = item;
                else job.NotBegun(run);
            }
        }
        return count;
    }

    public WorkerSource Begin(Worker worker, TransferSession session) => new(this, worker, session, _time, _closing);

    public void HasSessionLocked()
    {
        foreach (var job in _board.Ring.Jobs) job.MayHaveSessionLocked();
        // The cost of a session is known now.
        StartWorkersLocked();
    }

    public Dispatcher[] FailedLocked(TransferException error)
    {
        // Refused credentials are refused to the next worker too, and many servers count the refusals.
        var isDenied = error.Error == TransferError.Auth && _pool.LastFeatures is null;
        var isLast = _crew.Fail(MostLocked);
        Dispatcher[] dead = isDenied ? [.. _board.All] : isLast ? [.. _board.Unsettled] : [];
        foreach (var job in dead) job.DieLocked(error);
        return dead;
    }

    public void EndedLocked() => StartWorkersLocked();

    public void Dispose()
    {
        _ramp.Dispose();
        _workers.Dispose();
    }

    // The number of sessions, whether the work pays for them or not.
    private int MostLocked => Math.Min(Math.Min(_crew.Cap, Math.Max(_most, _ramp.Allowed)),
        Math.Max(_board.AnySharing ? _ramp.Allowed : 0, _board.MostForSegments) + _board.OwnSessions);

    private List<(Dispatcher Job, JobFile File)> TakeFiles(WorkerSource run, int asked)
    {
        var taken = new List<(Dispatcher, JobFile)>();
        lock (Gate)
        {
            run.Seen = _added;
            if (_closing.IsCancellationRequested || run.Worker.IsDismissed) return taken;
            if (!AnyWaitingLocked && _board.Dividing.Count == 0) return taken;
            if (run.Took && MustYieldLocked())
            {
                _crew.Move(run.Worker, WorkerState.Yielding);
                return taken;
            }
            if (run.Took && _crew.Alive - _crew.Count(WorkerState.Surplus) > MostLocked)
            {
                _crew.Move(run.Worker, WorkerState.Surplus);
                return taken;
            }
            TakeInTurnLocked(run, asked, taken);
            // Waiting files may belong to jobs that have all the sessions they may have.
            if (taken.Count == 0 && (run.HeldLocked == 0 || !AnyWaitingLocked)) TakeSegmentLocked(run, taken);
            if (!AnyWaitingLocked) DismissWaitingLocked();
        }
        return taken;
    }

    // Each job in turn. Among several jobs each gives a part of the files wanted, so that none waits for another's folder.
    private void TakeInTurnLocked(WorkerSource run, int asked, List<(Dispatcher, JobFile)> taken)
    {
        var ring = _board.Ring;
        var sessions = Math.Clamp(_crew.Alive, 1, Math.Max(1, _pool.Limit));
        // A share of all unsettled files, so that sessions which are still being opened get some.
        var fair = Math.Clamp((_unsettled + sessions - 1) / sessions - run.HeldLocked, 0, asked);
        var turns = ring.Count;
        while (fair > 0 && turns-- > 0 && ring.Next() is { } job)
        {
            if (!job.MayTakeLocked || !run.MayServeLocked(job)) continue;
            var part = Math.Min(fair - taken.Count, Math.Max(1, (asked + ring.Count - 1) / ring.Count));
            var files = job.TakeLocked(part, sessions, alone: taken.Count == 0);
            foreach (var file in files) HandLocked(run, job, file, taken);
            LinedLocked(job);
            if (files.Length > 0) turns = ring.Count;
            if (taken.Count >= fair || job.IsExclusive && files.Length > 0 || files is [{ IsTakenAlone: true }]) break;
        }
    }

    private void TakeSegmentLocked(WorkerSource run, List<(Dispatcher, JobFile)> taken)
    {
        foreach (var job in _board.Dividing)
        {
            if (!job.MayTakeLocked || !run.MayServeLocked(job) || job.ShareSegmentLocked() is not { } part) continue;
            HandLocked(run, job, part, taken);
            return;
        }
    }

    private static void HandLocked(WorkerSource run, Dispatcher job, JobFile file, List<(Dispatcher, JobFile)> taken)
    {
        if (run.HoldLocked(job)) job.AddBusyLocked();
        taken.Add((job, file));
    }

    // The pool's line is first in, first out: the first waiter gets the session as soon as a worker returns one. Workers in the line do
    // not count: they would do the same work.
    private bool MustYieldLocked() =>
        Math.Max(Volatile.Read(ref _controlWaiting), _pool.WaitingCount - ComingLocked) > _crew.Count(WorkerState.Yielding);

    private void Ramp()
    {
        var (ahead, kind) = (0, (WorkKind?)null);
        lock (Gate)
        {
            var (elapsed, pace) = _ramp.LapLocked();
            // A standstill proves nothing about the network link.
            if (_paused > 0 && _board.All.All(static job => job.IsPausedLocked)) return;
            if (_ramp.TryOpenUpLocked())
            {
                (ahead, kind) = _board.Expected(AllowedLocked);
                StartWorkersLocked();
            }
            else if (_ramp.MeasureLocked(elapsed, IsBusyLocked(pace) && (!_ramp.IsOpenedUp || _paying.AreSmallLocked)))
            {
                StartWorkersLocked();
            }
            _ramp.StopMeasuringLocked();
        }
        if (ahead > 0 && !_closing.IsCancellationRequested) Prepare(ahead, kind);
    }

    // All allowed workers are at work, and the waiting files would keep more of them busy for a while.
    private bool IsBusyLocked(double pace) =>
        ComingLocked == 0 && _crew.Alive >= MostLocked
        && _board.IsMoreThan(Math.Max(_crew.Alive, pace * SessionRamp.LeastToTry.TotalSeconds));
}
