namespace Transfer.Sessions;

/// <summary>
/// Lets one session log in first while others, opened beside it, wait with their connections ready: a wrong password is tried
/// once and not once a session, for which many servers lock a user out. After the first log-in that succeeds it stands open. Thread-safe.
/// </summary>
public sealed class LogInGate
{
    private readonly Lock _lock = new();
    private TaskCompletionSource<TransferException?>? _first;
    private bool _open;

    /// <summary>
    /// Runs a log-in: at once when one has succeeded before, else alone. Those that waited beside one whose credentials were
    /// refused fail with its error, untried; after any other failure the next one tries.
    /// </summary>
    /// <exception cref="TransferConnectionException">The server refused the credentials of the one before.</exception>
    public async ValueTask<T> RunAsync<T>(Func<CancellationToken, ValueTask<T>> logIn, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(logIn);
        while (true)
        {
            TaskCompletionSource<TransferException?>? before;
            TaskCompletionSource<TransferException?>? own = null;
            lock (_lock)
            {
                before = _open ? null : _first;
                if (!_open && before is null) own = _first = new(TaskCreationOptions.RunContinuationsAsynchronously);
            }
            if (before is null) return own is null ? await logIn(ct).ConfigureAwait(false) : await RunFirstAsync(own, logIn, ct).ConfigureAwait(false);
            if (await before.Task.WaitAsync(ct).ConfigureAwait(false) is { } refusal)
                throw new TransferConnectionException(refusal.Error, refusal.Message, refusal) { ServerCode = refusal.ServerCode };
        }
    }

    private async ValueTask<T> RunFirstAsync<T>(
        TaskCompletionSource<TransferException?> own, Func<CancellationToken, ValueTask<T>> logIn, CancellationToken ct)
    {
        TransferException? refusal = null;
        var succeeded = false;
        try
        {
            var result = await logIn(ct).ConfigureAwait(false);
            succeeded = true;
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
                _open |= succeeded;
                _first = null;
            }
            own.SetResult(refusal);
        }
    }
}
