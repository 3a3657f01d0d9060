namespace Transfer.Sessions;

/// <summary>
/// Bounds a log-in as a whole. <see cref="TransferClientOptions.IdleTimeout"/> requires only some movement, so a server that sends a byte
/// now and then would keep a log-in for ever. The clock stands still during a question to a person, or a wait for another session's log-in.
/// Thread-safe.
/// </summary>
public sealed class LogInClock : IDisposable
{
    // Timers allow no longer time.
    private static readonly TimeSpan Longest = TimeSpan.FromDays(24);

    private readonly Lock _gate = new();
    private readonly TimeProvider _time;
    private readonly TimeSpan _limit;
    private readonly CancellationTokenSource _expired;
    private readonly CancellationTokenSource _either;
    private TimeSpan _spent;
    private long _since;
    private readonly LogInGate? _turns;
    private readonly OpeningMark? _arrival;
    private int _pauses;
    private bool _disposed;

    private LogInClock(LogInGate? turns, TimeSpan limit, TimeSpan spent, TimeProvider time, CancellationToken ct)
    {
        _turns = turns;
        _arrival = turns is null ? null : LogInGate.Arrive();
        _time = time;
        _limit = limit > TimeSpan.Zero && limit <= Longest ? limit : Timeout.InfiniteTimeSpan;
        _spent = spent;
        _expired = new CancellationTokenSource(Timeout.InfiniteTimeSpan, time);
        _either = CancellationTokenSource.CreateLinkedTokenSource(ct, _expired.Token);
        lock (_gate) GoOnLocked();
    }

    /// <summary>Fires when the time has passed, or the caller has cancelled.</summary>
    public CancellationToken Token => _either.Token;

    /// <summary>The time that the log-in has taken so far, pauses excluded.</summary>
    public TimeSpan Spent
    {
        get
        {
            lock (_gate) return _pauses > 0 ? _spent : _spent + _time.GetElapsedTime(_since);
        }
    }

    /// <summary>Runs a log-in within a limit.</summary>
    /// <param name="what">The subject of the limit, for the error: <c>The log-in at host</c>.</param>
    /// <param name="limit">The longest time; zero, less or <see cref="Timeout.InfiniteTimeSpan"/>: no limit.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logIn">
    /// Logs in. Every wait for the server takes <see cref="Token"/>, every wait for a person is within a <see cref="Pause"/>.
    /// </param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <param name="spent">The part of the limit that is used already.</param>
    /// <exception cref="TransferConnectionException">
    /// <see cref="TransferError.Timeout"/>: the limit has passed. Else an error of <paramref name="logIn"/>.
    /// </exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> fired.</exception>
    public static ValueTask<T> RunAsync<T>(
        string what, TimeSpan limit, TimeProvider time, Func<LogInClock, ValueTask<T>> logIn, CancellationToken cancellationToken,
        TimeSpan spent = default) => RunAsync(null, what, limit, time, logIn, spent, cancellationToken);

    /// <summary>
    /// Sends the credentials when it is this session's turn (<see cref="ServerLogIns"/>), while the clock stands still. A log-in without
    /// turns goes at once.
    /// </summary>
    /// <param name="logIn">
    /// Logs in, and calls the first argument when the credentials are accepted, so that the other sessions need not wait for the rest.
    /// </param>
    /// <exception cref="TransferConnectionException">
    /// <see cref="TransferError.Auth"/>: the server refused the same credentials to another session meanwhile, and they are not tried
    /// again. Else an error of <paramref name="logIn"/>.
    /// </exception>
    public async ValueTask<T> InTurnAsync<T>(Func<Action, CancellationToken, ValueTask<T>> logIn)
    {
        ArgumentNullException.ThrowIfNull(logIn);
        if (_turns is null) return await logIn(static () => { }, Token).ConfigureAwait(false);
        // Another session's log-in has its own clock, and may wait for a person.
        using var waiting = Pause();
        return await _turns.RunAsync(_arrival!, (accepted, token) =>
        {
            waiting.Dispose();
            return logIn(accepted, token);
        }, Token).ConfigureAwait(false);
    }

    internal static async ValueTask<T> RunAsync<T>(LogInGate? turns, string what, TimeSpan limit, TimeProvider time,
        Func<LogInClock, ValueTask<T>> logIn, TimeSpan spent, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(time);
        ArgumentNullException.ThrowIfNull(logIn);
        using var clock = new LogInClock(turns, limit, spent, time, cancellationToken);
        try
        {
            return await logIn(clock).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            throw new OperationCanceledException(cancellationToken);
        }
        catch (Exception e)
            when (clock._expired.IsCancellationRequested
                && e is OperationCanceledException or TransferConnectionException { Error: TransferError.Lost })
        {
            // A connection that is closed during a write shows as lost.
            throw new TransferConnectionException(TransferError.Timeout, $"{what} was not over within {limit.TotalSeconds:0.###} s.", e);
        }
    }

    /// <summary>Stops the clock until the result is disposed of; several pauses may overlap.</summary>
    public IDisposable Pause()
    {
        lock (_gate)
        {
            if (_pauses++ == 0)
            {
                _spent += _time.GetElapsedTime(_since);
                ArmLocked(Timeout.InfiniteTimeSpan);
            }
        }
        return new Pausing(this);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate)
        {
            if (_disposed) return;
            _disposed = true;
        }
        _either.Dispose();
        _expired.Dispose();
    }

    private void Resume()
    {
        lock (_gate)
        {
            if (--_pauses == 0) GoOnLocked();
        }
    }

    private void GoOnLocked()
    {
        _since = _time.GetTimestamp();
        if (_limit == Timeout.InfiniteTimeSpan) return;
        var left = _limit - _spent;
        // Timers count in whole milliseconds.
        ArmLocked(left < TimeSpan.FromMilliseconds(1) ? TimeSpan.FromMilliseconds(1) : left);
    }

    private void ArmLocked(TimeSpan due)
    {
        if (!_disposed) _expired.CancelAfter(due);
    }

    private sealed class Pausing(LogInClock clock) : IDisposable
    {
        private int _over;

        public void Dispose()
        {
            if (Interlocked.Exchange(ref _over, 1) == 0) clock.Resume();
        }
    }
}
