using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Pooling;
using Transfer.Sessions;

namespace Transfer.Engine.Scheduling;

/// <summary>
/// Lends sessions to callers that list directories. Where the protocol keeps several listings under way on one session
/// (<see cref="TransferFeatures.ListsTogether"/>), one session serves so many callers at once, and a walk waits for few round trips. Other
/// sessions are lent to one caller each. Thread-safe.
/// </summary>
internal sealed class ListingLine
{
    // A further session costs a log-in, which pays in large trees only.
    private const int DirectoriesPerSession = 512;

    // Where listings follow one another on a session, a log-in takes as long as some of them.
    private const int DirectoriesPerLogIn = 4;

    private const int MostTogether = 1024;

    // Other work that waits for the session has it after so many listings, however many more are wanted.
    private const int MostInARow = 256;

    private readonly Lock _gate = new();
    private readonly Queue<Waiter> _waiting = new();
    private readonly List<SharedSession> _sessions = [];
    private readonly SessionPool _pool;
    private readonly Scheduler _scheduler;
    private readonly Func<int> _mostSessions;
    private readonly ILogger _logger;
    private int _unfinished; // waiting or under way
    private int _unfinishedFinds; // of these, those for which presence suffices
    private int _listed;
    private bool _isRefused;

    /// <param name="pool">The sessions of the client.</param>
    /// <param name="scheduler">Lends sessions of the pool, for which other work makes room.</param>
    /// <param name="mostSessions">The most sessions to use.</param>
    /// <param name="logger">The log.</param>
    public ListingLine(SessionPool pool, Scheduler scheduler, Func<int> mostSessions, ILogger logger)
    {
        _pool = pool;
        _scheduler = scheduler;
        _mostSessions = mostSessions;
        _logger = logger;
    }

    /// <summary>The number of directories to list at the same time; 1: where the protocol lists one after another on a session.</summary>
    public int Together => _pool.LastFeatures is { ListsTogether: > 1 and var together } features
        ? Math.Min(MostTogether, together * (features.ListsInTurn ? _mostSessions() : SessionsWorthwhile)) : 1;

    /// <summary>As <see cref="Together"/>, of directories for which presence suffices.</summary>
    public int FindsTogether => FindsInOneGo > 1 ? Math.Min(MostTogether, FindsInOneGo * _mostSessions()) : Together;

    /// <summary>Whether <see cref="FindsTogether"/> holds for the directories of a listing that shows their entries.</summary>
    /// <param name="options">The options of the listing.</param>
    public bool MayFind(ListOptions options) =>
        FindsInOneGo > 1 && options.Recursive && (options.NamesSuffice || _pool.LastFeatures is { FindsAll: true });

    /// <summary>Whether listings follow one another on a session: those behind wait where one waits for its reader.</summary>
    public bool IsInTurn => _pool.LastFeatures is { ListsInTurn: true };

    /// <summary>
    /// Whether a caller waits for a session that a listing should return for it. Listings ahead of their turn don't count, nor do sessions
    /// that are being opened for them: the listing in its turn comes first.
    /// </summary>
    public bool IsPressed
    {
        get
        {
            lock (_gate)
            {
                return _waiting.Any(waiter => waiter.IsPressing() && !waiter.Place.Task.IsCompleted)
                    || _pool.WaitingCount > _sessions.Count(session => !session.IsOpen);
            }
        }
    }

    /// <summary>Lists on a session that may list other folders meanwhile; tried again, on request, where the session was lost.</summary>
    /// <param name="list">Lists.</param>
    /// <param name="finds">Whether presence suffices.</param>
    /// <param name="retry">Whether to try again.</param>
    /// <param name="ct">Cancels.</param>
    /// <param name="isPressing">Whether the caller needs the listing now (<see cref="IsPressed"/>); null: always.</param>
    public ValueTask<T> UseAsync<T>(Func<TransferSession, CancellationToken, ValueTask<T>> list, bool finds, bool retry,
        CancellationToken ct, Func<bool>? isPressing = null) =>
        _pool.LastFeatures is { ListsTogether: > 1 }
        ? _pool.UseAsync(token => LendAsync(finds, isPressing ?? (() => true), token), list, retry, ct)
        : _scheduler.ControlAsync(list, retry, ct);

    /// <summary>Lists for a caller that takes the entries in its own time: no other listing waits behind this one.</summary>
    /// <param name="list">Lists.</param>
    /// <param name="isPressing">Whether the caller needs the listing now (<see cref="IsPressed"/>).</param>
    /// <param name="ct">Cancels.</param>
    public ValueTask<T> UseUnpacedAsync<T>(Func<TransferSession, CancellationToken, ValueTask<T>> list, Func<bool> isPressing,
        CancellationToken ct) =>
        IsInTurn ? _scheduler.ControlAsync(list, retry: false, ct) : UseAsync(list, finds: false, retry: false, ct, isPressing);

    // More than a session lists together: they arrive at the same time.
    private int FindsInOneGo => _pool.LastFeatures is { } features && features.FindsTogether > features.ListsTogether
        ? features.FindsTogether : 1;

    private async ValueTask<ISessionLoan> LendAsync(bool finds, Func<bool> isPressing, CancellationToken ct)
    {
        var waiter = new Waiter(finds, isPressing, new(TaskCreationOptions.RunContinuationsAsynchronously));
        lock (_gate)
        {
            _waiting.Enqueue(waiter);
            CountLocked(finds, 1);
            ServeLocked();
        }
        using var onCancel = ct.UnsafeRegister(_ => GiveUp(waiter, ct), null);
        return new Place(this, await waiter.Place.Task.ConfigureAwait(false), finds);
    }

    private void GiveUp(Waiter waiter, CancellationToken ct)
    {
        lock (_gate)
        {
            if (!waiter.Place.TrySetCanceled(ct)) return;
            CountLocked(waiter.Finds, -1);
            ServeLocked();
        }
    }

    private void CountLocked(bool finds, int change)
    {
        _unfinished += change;
        if (finds) _unfinishedFinds += change;
    }

    // Gives places to listings that wait, and opens a session where there is work for one more.
    private void ServeLocked()
    {
        while (_waiting.TryPeek(out var waiter))
        {
            if (!waiter.Place.Task.IsCompleted)
            {
                if (FindPlaceLocked(waiter.Finds) is not { } session) break;
                session.Begin();
                waiter.Place.SetResult(session);
            }
            _waiting.Dequeue();
        }
        foreach (var session in _sessions) session.EndIfIdle(_waiting.Count > 0);
        if (_waiting.Count == 0) return;
        // One that goes back to the pool is taken from there again: a session more would cost a log-in.
        var open = _sessions.Count(session => !session.IsClosed || session.IsEnding);
        if (open == 0 || !_isRefused && open < SessionsWorthwhile) OpenLocked();
    }

    private int SessionsWorthwhile
    {
        get
        {
            var (all, finds) = (Volatile.Read(ref _unfinished), Volatile.Read(ref _unfinishedFinds));
            var worth = IsInTurn
                ? ((all - finds) / DirectoriesPerLogIn) + (finds / Math.Max(DirectoriesPerLogIn, FindsInOneGo))
                : 1 + (Volatile.Read(ref _listed) / DirectoriesPerSession);
            return Math.Clamp(worth, 1, _mostSessions());
        }
    }

    // Where listings follow one another on a session, each session has a fair share, and sessions that are being opened have theirs.
    private SharedSession? FindPlaceLocked(bool finds)
    {
        var free = _sessions.Where(session => TakesOneMoreLocked(session, finds));
        if (!IsInTurn) return free.FirstOrDefault();
        var sessions = _isRefused ? Math.Max(1, _sessions.Count(session => !session.IsClosed)) : SessionsWorthwhile;
        var share = (_unfinished + sessions - 1) / sessions;
        return free.Where(session => session.Users < share).MinBy(session => session.Users);
    }

    private bool TakesOneMoreLocked(SharedSession session, bool finds)
    {
        if (session.Begun >= MostInARow && _pool.WaitingCount > 0) session.Close();
        return session.HasPlaceFor(finds);
    }

    private void OpenLocked()
    {
        if (_sessions.Count == 0) (_listed, _isRefused) = (0, false);
        var session = new SharedSession();
        _sessions.Add(session);
        _ = Task.Run(() => RunAsync(session));
    }

    private async Task RunAsync(SharedSession session)
    {
        TransferException? refused = null;
        Exception? failure = null;
        try
        {
            await _scheduler.ControlAsync(async (lent, _) =>
            {
                lock (_gate)
                {
                    session.Open(lent);
                    ServeLocked();
                }
                await session.WhenEnded.ConfigureAwait(false);
                return true;
            }, retry: false, session.Unwanted).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            (failure, refused) = (e, e as TransferException);
        }
        lock (_gate)
        {
            session.Close();
            _sessions.Remove(session);
            // One that was not wanted any more was not refused.
            if (failure is OperationCanceledException) failure = null;
            if (failure is not null && _sessions.Any(other => !other.IsClosed))
            {
                // Other sessions go on.
                _isRefused = true;
                if (refused is not null) Log.WalkSessionRefused(_logger, refused.Message);
            }
            else if (failure is not null)
            {
                while (_waiting.TryDequeue(out var waiter))
                {
                    if (waiter.Place.TrySetException(failure)) CountLocked(waiter.Finds, -1);
                }
            }
            ServeLocked();
        }
        session.Dispose();
    }

    private void End(SharedSession session, bool finds)
    {
        lock (_gate)
        {
            _listed++;
            CountLocked(finds, -1);
            session.End();
            ServeLocked();
        }
    }

    /// <summary>A caller that waits for a place at a session.</summary>
    private readonly record struct Waiter(bool Finds, Func<bool> IsPressing, TaskCompletionSource<SharedSession> Place);

    /// <summary>A place at a session.</summary>
    private sealed class Place(ListingLine line, SharedSession session, bool finds) : ISessionLoan
    {
        private int _ended;

        public TransferSession Session => session.Session;

        public ValueTask DisposeAsync()
        {
            if (Interlocked.Exchange(ref _ended, 1) == 0) line.End(session, finds);
            return default;
        }
    }
}
