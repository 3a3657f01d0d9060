using Transfer.Sessions;

namespace Transfer.Pooling;

internal static class SessionPoolExtensions
{
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
                when (retry && attempt < pool.Retry.Attempts
                    && e is { Error: TransferError.Lost or TransferError.Timeout, IsTransient: true } && !ct.IsCancellationRequested)
            {
                // The lease is returned below, and a lost session closed. A session that was dead before needs no wait.
                wait = e is TransferConnectionException { Error: TransferError.Lost }
                    ? TimeSpan.Zero : pool.Retry.DelayAfter(attempt, Random.Shared.NextDouble());
            }
            finally
            {
                await lease.DisposeAsync().ConfigureAwait(false);
            }
        }
    }
}
