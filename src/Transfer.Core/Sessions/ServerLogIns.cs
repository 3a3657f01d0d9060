namespace Transfer.Sessions;

/// <summary>
/// The log-ins of one client's sessions at one server, for providers: sessions connect side by side, one sends the credentials first, and
/// other log-ins wait with their connections ready. So a wrong password is tried once and not once a session, for which many servers lock
/// users out. After the first success nothing waits any more. Thread-safe; one for each server and user.
/// </summary>
public sealed class ServerLogIns
{
    private readonly LogInGate _gate = new();

    /// <summary>Connects and logs in within a limit; the log-in itself is given to <see cref="LogInClock.InTurnAsync"/>.</summary>
    /// <param name="what">The subject of the limit, for the error: <c>The log-in at host</c>.</param>
    /// <param name="limit">The longest time; zero, less or <see cref="Timeout.InfiniteTimeSpan"/>: no limit.</param>
    /// <param name="time">The clock.</param>
    /// <param name="connect">
    /// Connects, prepares the log-in, and logs in by <see cref="LogInClock.InTurnAsync"/>. Every wait for the server takes
    /// <see cref="LogInClock.Token"/>, every wait for a person is within a <see cref="LogInClock.Pause"/>.
    /// </param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <exception cref="TransferConnectionException">
    /// <see cref="TransferError.Timeout"/>: the limit has passed. <see cref="TransferError.Auth"/>: the server refused the credentials, of
    /// this or another session. Else an error of <paramref name="connect"/>.
    /// </exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> fired.</exception>
    public ValueTask<T> RunAsync<T>(string what, TimeSpan limit, TimeProvider time, Func<LogInClock, ValueTask<T>> connect,
        CancellationToken cancellationToken) =>
        LogInClock.RunAsync(_gate, what, limit, time, connect, TimeSpan.Zero, cancellationToken);
}
