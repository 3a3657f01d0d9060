using Transfer.Sessions;

namespace Transfer.Engine;

internal static class SessionPoolExtensions
{
    /// <summary>
    /// Runs one operation on a leased session. With <paramref name="retry"/>, for what may be asked twice, it is asked again
    /// when the session turns out to be dead: pooled sessions die unnoticed while they are idle.
    /// </summary>
    public static async ValueTask<T> UseAsync<T>(
        this SessionPool pool, Func<TransferSession, CancellationToken, ValueTask<T>> action, bool retry, CancellationToken ct)
    {
        for (var attempt = 1; ; attempt++)
        {
            // Outside the try: a session that cannot be opened is not opened twice.
            var lease = await pool.LeaseAsync(ct).ConfigureAwait(false);
            try
            {
                return await action(lease.Session, ct).ConfigureAwait(false);
            }
            catch (TransferConnectionException e)
                when (retry && attempt < pool.Retry.Attempts && e is { Error: TransferError.Lost, IsTransient: true } && !ct.IsCancellationRequested)
            {
                // The lease goes back below, and with it the session.
            }
            finally
            {
                await lease.DisposeAsync().ConfigureAwait(false);
            }
        }
    }
}
