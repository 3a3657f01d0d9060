namespace Transfer.Sessions;

/// <summary>
/// Lets one session log in first while further sessions wait with their connections ready: a wrong password is tried
/// once and not once a session, for which many servers lock users out. The first successful log-in opens the gate for good. Thread-safe.
/// </summary>
public sealed class LogInGate
{
    private readonly Lock _lock = new();
    private TaskCompletionSource? _first;
    private TransferException? _refusal;
    private int _refusals;
    private bool _open;

    /// <summary>Takes a session's place before connecting: a refusal from then on counts for this session too.</summary>
    public int Arrive()
    {
        lock (_lock) return _refusals;
    }

    /// <summary>
    /// Runs a log-in: at once when one has succeeded before, else alone. A session that arrived before a refusal of the credentials fails
    /// with that error, untried; after any other failure the next one tries.
    /// </summary>
    /// <param name="arrival">The result of <see cref="Arrive"/>.</param>
    /// <param name="logIn">
    /// Logs in, and calls the first argument when the credentials are accepted, so that the other sessions need not wait for the rest.
    /// </param>
    /// <param name="cancellationToken">Ends the waiting, and is passed on.</param>
    /// <exception cref="TransferConnectionException">The server refused the credentials of the session before.</exception>
    public async ValueTask<T> RunAsync<T>(int arrival, Func<Action, CancellationToken, ValueTask<T>> logIn,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(logIn);
        while (true)
        {
            TaskCompletionSource? own = null;
            var before = Task.CompletedTask;
            lock (_lock)
            {
                if (!_open && _refusal is { } refusal && _refusals != arrival)
                    throw new TransferConnectionException(refusal.Error, refusal.Message, refusal) { ServerCode = refusal.ServerCode };
                if (!_open && _first is not null) before = _first.Task;
                else if (!_open) own = _first = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            }
            if (own is not null) return await RunFirstAsync(own, logIn, cancellationToken).ConfigureAwait(false);
            if (before == Task.CompletedTask) return await logIn(static () => { }, cancellationToken).ConfigureAwait(false);
            await before.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private async ValueTask<T> RunFirstAsync<T>(TaskCompletionSource own, Func<Action, CancellationToken, ValueTask<T>> logIn,
        CancellationToken ct)
    {
        TransferException? refusal = null;
        try
        {
            var result = await logIn(Accept, ct).ConfigureAwait(false);
            Accept();
            return result;
        }
        catch (TransferException e) when (e.Error == TransferError.Auth)
        {
            refusal = e;
            throw;
        }
        finally
        {
            lock (_lock)
            {
                _first = null;
                if (refusal is not null) (_refusal, _refusals) = (refusal, _refusals + 1);
            }
            own.TrySetResult();
        }

        void Accept()
        {
            lock (_lock) _open = true;
            own.TrySetResult();
        }
    }
}
