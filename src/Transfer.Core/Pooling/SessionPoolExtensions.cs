using Transfer.Sessions;

namespace Transfer.Pooling;

internal static class SessionPoolExtensions
{
    /// <summary>Whether an operation failed with the session or for lack of an answer, and may succeed on another session.</summary>
    public static bool IsLoss(TransferException error) =>
        error.IsTransient && (error is TransferConnectionException || error.Error is TransferError.Lost or TransferError.Timeout);

    /// <summary>The wait before an operation is repeated: none where the session was dead before.</summary>
    public static TimeSpan WaitAfter(this SessionPool pool, TransferException loss, int attempt) =>
        loss is TransferConnectionException { Error: TransferError.Lost }
        ? TimeSpan.Zero : pool.Retry.DelayAfter(attempt, Random.Shared.NextDouble());

    /// <summary>
    /// Closes the idle sessions, except for one if none is on loan, and those being opened ahead, and waits until they are closed.
    /// </summary>
    /// <returns>Whether the server has fewer sessions now, or fewer in the making.</returns>
    public static async ValueTask<bool> CloseIdleAsync(this SessionPool pool, CancellationToken ct)
    {
        var hasFewer = false;
        for (; pool.BeginClosingIdle() is { } settled; hasFewer = true) await settled.WaitAsync(ct).ConfigureAwait(false);
        return hasFewer;
    }

    /// <summary>
    /// Runs one operation on a leased session. <paramref name="retry"/>, for operations that may run twice, repeats the operation when the
    /// session turns out to be dead, as idle ones die unnoticed, or when a reply times out: a connection that is silent for a while is no
    /// reason to give a folder up.
    /// </summary>
    public static ValueTask<T> UseAsync<T>(
        this SessionPool pool, Func<TransferSession, CancellationToken, ValueTask<T>> action, bool retry, CancellationToken ct) =>
        pool.UseAsync(async token => await pool.LeaseAsync(token).ConfigureAwait(false), action, retry, ct);

    /// <summary>Runs one operation on a session that <paramref name="lend"/> gives, as the other overload on a leased one.</summary>
    public static async ValueTask<T> UseAsync<T>(
        this SessionPool pool, Func<CancellationToken, ValueTask<ISessionLoan>> lend,
        Func<TransferSession, CancellationToken, ValueTask<T>> action, bool retry, CancellationToken ct)
    {
        var wait = TimeSpan.Zero;
        for (var attempt = 1; ; attempt++)
        {
            if (wait > TimeSpan.Zero) await Task.Delay(wait, pool.Time, ct).ConfigureAwait(false);
            // Outside the try: a session that cannot be opened is not opened twice.
            var lease = await lend(ct).ConfigureAwait(false);
            try
            {
                return await action(lease.Session, ct).ConfigureAwait(false);
            }
            catch (TransferException e)
                when (retry && attempt < pool.Retry.Attempts && IsLoss(e) && !ct.IsCancellationRequested)
            {
                // The lease is returned below, and a lost session closed.
                wait = pool.WaitAfter(e, attempt);
            }
            finally
            {
                await lease.DisposeAsync().ConfigureAwait(false);
            }
        }
    }
}
