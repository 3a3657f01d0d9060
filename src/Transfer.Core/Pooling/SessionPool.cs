using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Sessions;

namespace Transfer.Pooling;

/// <summary>
/// The sessions of one client: opened when needed, up to a limit, side by side; lent to one caller at a time; kept for a while when idle.
/// Callers that cannot be served at once wait in one line and get the first session returned or opened.
/// When the server refuses one more session, the pool works with those open. Thread-safe.
/// </summary>
internal sealed partial class SessionPool : IAsyncDisposable, IConnectionCount
{
    /// <summary>An opening that takes longer than this is long because of round trips, unless these are known to be short.</summary>
    internal static readonly TimeSpan LongOpening = TimeSpan.FromMilliseconds(60);

    private readonly ILogger _logger;
    private readonly TimeProvider _time;
    private readonly Lock _gate = new();
    private readonly WaitingLine _line = new();
    private readonly ServerDistance _sight = new();
    private readonly SessionOpener _door;
    private readonly PoolLimit _limit;
    private readonly IdleSessions _idle;
    private readonly HashSet<TransferSession> _leased = [];
    private readonly OpeningCircuit _circuit;
    private readonly OpeningTurns _turns;
    private readonly CredentialDenial _denial = new();
    private readonly PoolTimer _timer;
    private readonly SettledSignal _settled = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly TaskCompletionSource _drained = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _returned = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _opening;
    private int _closing;
    private int _peak;
    private bool _refusalPending;
    private bool _disposed;

    /// <summary>Creates a pool without sessions.</summary>
    /// <param name="maxSessions">The most sessions at once, those being opened or closed included.</param>
    /// <param name="sessionLifetime">The time that an idle session is kept; infinite: until the pool is disposed.</param>
    /// <param name="open">Opens a session, given the kind of work expected first. Cancelled only when the pool is disposed.</param>
    /// <param name="isSessionLimit">Whether a failed opening means that the server allows no session beside the open ones.</param>
    /// <param name="retry">The number and times of further attempts when a server that worked before cannot be reached.</param>
    /// <param name="logger">The log.</param>
    /// <param name="time">The clock.</param>
    public SessionPool(
        int maxSessions, TimeSpan sessionLifetime, Func<Func<WorkKind?>, CancellationToken, ValueTask<TransferSession>> open,
        Func<TransferException, bool> isSessionLimit, RetryOptions retry, ILogger logger, TimeProvider time)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(maxSessions, 1);
        _door = new SessionOpener(open, isSessionLimit, logger, _stop.Token);
        Retry = retry;
        _logger = logger;
        _time = time;
        _idle = new IdleSessions(sessionLifetime, time);
        _limit = new PoolLimit(maxSessions, time);
        _circuit = new OpeningCircuit(retry, time);
        _turns = new OpeningTurns(_sight, time);
        _timer = new PoolTimer(time, OnTimer);
    }

    /// <summary>The number and times of retries.</summary>
    public RetryOptions Retry { get; }

    /// <summary>The clock.</summary>
    public TimeProvider Time => _time;

    /// <summary>Whether idle sessions of any age are kept, because they will be needed again.</summary>
    public Func<bool> IsHeld { get; init; } = static () => false;

    /// <inheritdoc cref="SessionOpener.LeftoverFound"/>
    public Action<string> LeftoverFound
    {
        set => _door.LeftoverFound = value;
    }

    /// <summary>The memory of the server's limit; null: none.</summary>
    public LimitMemory? Memory
    {
        get => _limit.Memory;
        init => _limit.Memory = value;
    }

    /// <summary>The number of open sessions, on loan or idle.</summary>
    public int Open => Read(() => _leased.Count + _idle.Count);

    /// <summary>The number of open sessions that are not on loan.</summary>
    public int Idle => Read(() => _idle.Count);

    /// <summary>The number of sessions that are open or being opened.</summary>
    public int Expected => Read(() => _leased.Count + _idle.Count + _opening);

    /// <summary>The most sessions that were open at once.</summary>
    public int Peak => Read(() => _peak);

    /// <summary>The present limit on sessions.</summary>
    public int Limit => Read(() => _limit.Current);

    /// <summary>The number of waiters.</summary>
    public int WaitingCount => Read(() => _line.Count);

    /// <inheritdoc cref="ServerDistance.Features"/>
    public TransferFeatures? LastFeatures => Read(() => _sight.Features);

    /// <inheritdoc cref="ServerDistance.OpeningTime"/>
    public TimeSpan OpeningTime => Read(() => _sight.OpeningTime);

    /// <inheritdoc cref="ServerDistance.LeastOpeningTime"/>
    public TimeSpan? LeastOpeningTime => Read(() => _sight.LeastOpeningTime);

    /// <inheritdoc cref="ServerDistance.RoundTrip"/>
    public TimeSpan? RoundTrip => Read(() => _sight.RoundTrip);

    /// <inheritdoc cref="ServerDistance.IsNear"/>
    public bool IsNear => Read(() => _sight.IsNear);

    /// <inheritdoc cref="ServerDistance.IsFar"/>
    public bool IsFar => Read(() => _sight.IsFar);

    /// <inheritdoc cref="SessionLimit.Allow"/>
    public void Allow(int sessions) { lock (_gate) _limit.Allow(sessions); }

    /// <inheritdoc cref="SessionLimit.BeginJob"/>
    public void BeginJob() { lock (_gate) _limit.BeginJob(); }

    /// <inheritdoc cref="ServerDistance.Learn"/>
    public void LearnRoundTrip(TimeSpan roundTrip) { lock (_gate) _sight.Learn(roundTrip); }

    // The places taken under the limit: to the server, a session being closed is still there.
    private int Occupied => _leased.Count + _idle.Count + _opening + _closing;

    /// <summary>Borrows a session: the most recently used idle one, else the first returned or opened.</summary>
    /// <exception cref="ObjectDisposedException">The pool is disposed, or was while waiting.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="ct"/> fired while waiting.</exception>
    /// <exception cref="TransferException">A session could not be opened.</exception>
    public async ValueTask<SessionLease> LeaseAsync(CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        var changes = new PoolChanges();
        SessionLease? lease = null;
        Waiter? waiter = null;
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            if (_denial.TakeUnheard() is { } denial) throw denial.WithMessage(denial.Message);
            if (_idle.TakeUsable(dead => CloseLocked(dead, changes)) is { } session) lease = Lend(session);
            else waiter = _line.Add();
            StartOpeningsLocked(changes);
        }
        Apply(changes);
        if (waiter is null) return lease!;

        var cancellation = ct.UnsafeRegister(_ => Cancel(waiter, ct), null);
        await using (cancellation.ConfigureAwait(false))
        {
            return await waiter.Lease.ConfigureAwait(false);
        }
    }

    /// <summary>Opens sessions ahead of their requests, up to <paramref name="count"/> in all or the limit.</summary>
    /// <param name="count">The number of sessions.</param>
    /// <param name="expected">The kind of work expected first on these and on sessions being opened already; null: unknown.</param>
    /// <param name="interval">Returns the time between openings at a distant server, as known by then; null: none.</param>
    public void Prepare(int count, WorkKind? expected = null, Func<TimeSpan>? interval = null)
    {
        var changes = new PoolChanges();
        lock (_gate)
        {
            _turns.Interval = interval ?? (static () => TimeSpan.Zero);
            if (_disposed || _circuit.IsOpen || _denial.IsUnchallenged) return;
            _line.Expect(expected);
            OpenAhead(count, expected, changes);
            StartOpeningsLocked(changes);
        }
        Apply(changes);
    }

    /// <summary>Completes when the pool is disposed, and all leases are returned and their sessions closed.</summary>
    public Task Returned => _returned.Task;

    /// <summary>Ends all waiting and opening and closes the idle sessions; those on loan are closed upon return.</summary>
    public async ValueTask DisposeAsync()
    {
        var changes = new PoolChanges();
        var first = false;
        lock (_gate)
        {
            if (!_disposed)
            {
                first = _disposed = true;
                while (_idle.TakeLatest() is { } session) CloseLocked(session, changes);
                _line.FailAll(new ObjectDisposedException(nameof(SessionPool)));
                StartOpeningsLocked(changes);
            }
        }
        if (first)
        {
            Apply(changes);
            await _timer.DisposeAsync().ConfigureAwait(false);
            await _stop.CancelAsync().ConfigureAwait(false);
        }
        await _drained.Task.ConfigureAwait(false);
        if (Memory is { } memory) await memory.Written.ConfigureAwait(false);
        if (first) _stop.Dispose();
    }

    /// <summary>Ends the sessions on loan, for whose holders there is no more time.</summary>
    public void BreakLeased(TransferConnectionException reason) => Read(() => _leased.ToList()).ForEach(each => each.Break(reason));

    /// <summary>Takes a session back; the lease calls this once.</summary>
    internal async ValueTask ReturnAsync(TransferSession session)
    {
        var changes = new PoolChanges();
        bool keep;
        lock (_gate)
        {
            _leased.Remove(session);
            keep = !_disposed && session.Usable;
            // A session may learn in use that the server has less than announced.
            if (keep) _sight.Features = session.Features;
            if (keep) GiveToWaiterOrKeepIdleLocked(session);
            else _closing++;
            StartOpeningsLocked(changes);
        }
        Apply(changes);
        if (!keep) await CloseAsync(session).ConfigureAwait(false);
    }

    private T Read<T>(Func<T> value) { lock (_gate) return value(); }

    private void Cancel(Waiter waiter, CancellationToken ct)
    {
        var changes = new PoolChanges();
        lock (_gate)
        {
            var reason = waiter.Opening?.Mark.Failure ?? _circuit.Reason;
            // Not in the line any more: the waiter was served or failed a moment ago, and that counts.
            if (!_line.Remove(waiter)) return;
            waiter.Cancel(reason, ct);
            StartOpeningsLocked(changes);
        }
        Apply(changes);
    }

    private void OnTimer()
    {
        var changes = new PoolChanges();
        lock (_gate)
        {
            if (_disposed) return;
            while (!IsHeld() && _idle.TakeExpired() is { } session) CloseLocked(session, changes);
            StartOpeningsLocked(changes);
        }
        Apply(changes);
    }

    private SessionLease Lend(TransferSession session)
    {
        _leased.Add(session);
        return new SessionLease(this, session);
    }

    // Gives a free session to the first waiter, else makes the session idle.
    private void GiveToWaiterOrKeepIdleLocked(TransferSession session)
    {
        if (_line.TakeFirst() is { } waiter) waiter.Serve(Lend(session));
        else _idle.Add(session);
    }

    private void CloseLocked(TransferSession session, PoolChanges changes)
    {
        _closing++;
        changes.ToClose.Add(session);
    }

    // Called at the end of every change of the state: starts the openings that the line needs, and sets the timer.
    private void StartOpeningsLocked(PoolChanges changes)
    {
        if (IsSettled) _settled.Set();
        if (_disposed)
        {
            if (_opening + _closing == 0) _drained.TrySetResult();
            if (_opening + _closing + _leased.Count == 0) _returned.TrySetResult();
            return;
        }

        TimeSpan? untilOpening = null;
        while (_line.FirstWithoutOpening() is { } wanting)
        {
            // The last of the openings under way answers all waiters.
            if (_denial.Pending is not null && _opening > 0) break;
            if (Occupied >= _limit.Most)
            {
                untilOpening = _limit.UntilRetry;
                if (!_limit.TryRaise(changes)) break;
            }
            // The end of a present attempt calls this method again.
            untilOpening = _opening > 0 ? null : _circuit.UntilTry;
            if (_circuit.IsOpen && (_opening > 0 || untilOpening > TimeSpan.Zero)) break;
            untilOpening = _turns.UntilNext(_opening);
            if (untilOpening > TimeSpan.Zero) break;
            _circuit.Try();
            _turns.Begin();
            _opening++;
            changes.ToOpen.Add(_line.AddFor(wanting));
            untilOpening = null;
        }
        if (changes.ToOpen.Count > 0) (changes.Recalls, changes.KnownDenial) = (_limit.TryBeginRecall(), _denial.Latest);
        _timer.Set(_idle.UntilExpiry, IsHeld, untilOpening);
    }

    private void Apply(PoolChanges changes)
    {
        changes.LogLimits(_logger);
        // On the thread pool: callers need not wait for the opening of other sessions, and failures in a row build no stack.
        foreach (var opening in changes.ToOpen) _ = Task.Run(() => OpenAsync(opening, changes.KnownDenial), CancellationToken.None);
        if (changes.Recalls) _ = Task.Run(Recall, CancellationToken.None);
        foreach (var session in changes.ToClose) _ = CloseAsync(session);
    }

    private void OpenAhead(int count, WorkKind? expected, PoolChanges changes)
    {
        _limit.RequestAhead(count, expected);
        for (var missing = Math.Min(count, _limit.Most) - Occupied; missing > 0 && !(_turns.UntilNext(_opening) > TimeSpan.Zero); missing--)
        {
            _turns.Begin();
            _opening++;
            changes.ToOpen.Add(_line.AddOrphan(expected));
        }
    }

    private void Recall()
    {
        var recalled = Memory!.Recall();
        var changes = new PoolChanges();
        lock (_gate)
        {
            var ahead = _limit.EndRecall();
            if (_disposed) return;
            if (recalled is { } limit) _limit.Recall(limit, changes);
            if (!_circuit.IsOpen && !_denial.IsUnchallenged) OpenAhead(ahead.Count, ahead.Expected, changes);
            StartOpeningsLocked(changes);
        }
        Apply(changes);
    }
}
