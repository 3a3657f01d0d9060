namespace Transfer.Sessions;

/// <summary>
/// Lets one session log in first while further sessions wait with their connections ready: a wrong password is tried
/// once and not once a session, for which many servers lock users out. The first successful log-in opens the gate for good. Thread-safe.
/// </summary>
internal sealed class LogInGate
{
    private readonly Lock _lock = new();
    private TaskCompletionSource? _first;
    private TransferException? _refusal;
    private OpeningMark? _refused; // whose credentials were refused last
    private bool _open;

    /// <summary>Takes a session's place before connecting: a refusal from then on counts for this session too.</summary>
    public static OpeningMark Arrive() => OpeningMark.Current ?? new OpeningMark();

    /// <summary>
    /// Runs a log-in: at once when one has succeeded before, else alone. A session whose opening began before that of refused credentials
    /// had ended fails with that error, untried; after any other failure the next one tries.
    /// </summary>
    /// <param name="arrival">The result of <see cref="Arrive"/>.</param>
    /// <param name="logIn">
    /// Logs in, and calls the first argument when the credentials are accepted, so that the other sessions need not wait for the rest.
    /// </param>
    /// <param name="ct">Ends the waiting, and is passed on.</param>
    /// <exception cref="TransferConnectionException">The server refused the credentials of the session before.</exception>
    public async ValueTask<T> RunAsync<T>(OpeningMark arrival, Func<Action, CancellationToken, ValueTask<T>> logIn, CancellationToken ct)
    {
        while (true)
        {
            TaskCompletionSource? own = null;
            var before = Task.CompletedTask;
            lock (_lock)
            {
                if (!_open && _refused is { } refused && arrival.BeganBeforeEndOf(refused))
                    throw new TransferConnectionException(_refusal!.Error, _refusal.Message, _refusal) { ServerCode = _refusal.ServerCode };
                if (!_open && _first is not null) before = _first.Task;
                else if (!_open) own = _first = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            }
            if (own is not null) return await RunFirstAsync(own, arrival, logIn, ct).ConfigureAwait(false);
            if (before == Task.CompletedTask) return await logIn(static () => { }, ct).ConfigureAwait(false);
            await before.WaitAsync(ct).ConfigureAwait(false);
        }
    }

    private async ValueTask<T> RunFirstAsync<T>(TaskCompletionSource own, OpeningMark arrival,
        Func<Action, CancellationToken, ValueTask<T>> logIn, CancellationToken ct)
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
                if (refusal is not null) (_refusal, _refused) = (refusal, arrival);
            }
            // The pool ends its own openings, once the refusal is recorded there.
            if (arrival != OpeningMark.Current) arrival.End();
            own.TrySetResult();
        }

        void Accept()
        {
            lock (_lock) _open = true;
            own.TrySetResult();
        }
    }
}
