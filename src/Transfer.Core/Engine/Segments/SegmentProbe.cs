using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Pooling;
using Transfer.Sessions;

namespace Transfer.Engine.Segments;

/// <summary>
/// Tests whether a server takes one file from several sessions, in a protocol that cannot announce so: when the options want segments of
/// an upload; the result is kept (docs/adr/0007-ftp-uploads-in-one-piece.md).
/// </summary>
internal sealed class SegmentProbe(SessionPool pool, ILogger logger, TimeProvider time) : IDisposable
{
    // The wait for the second session: other jobs may hold all sessions for any time.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private readonly SemaphoreSlim _one = new(1);
    private volatile bool _isKnown;
    private volatile bool _succeeded;

    /// <summary>Whether the test was made, and succeeded.</summary>
    public bool Succeeded => _succeeded;

    /// <summary>Runs the test, unless the result is known.</summary>
    /// <param name="name">Returns an unused name, in a folder that exists then.</param>
    /// <param name="discard">Deletes the file of that name later.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask RunAsync(Func<TransferSession, CancellationToken, ValueTask<string>> name, Action<string> discard,
        CancellationToken ct)
    {
        if (_isKnown) return;
        await _one.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            if (_isKnown) return;
            var why = await TryAsync(name, discard, ct).ConfigureAwait(false);
            (_succeeded, _isKnown) = (why is null, true);
            if (why is null) Log.WritesTogether(logger);
            else Log.WritesAlone(logger, why);
        }
        catch (TransferException e)
        {
            // The error need not concern segments; the upload of the file will show.
            Log.WritesAlone(logger, e.Message);
        }
        finally
        {
            _one.Release();
        }
    }

    public void Dispose() => _one.Dispose();

    private async ValueTask<string?> TryAsync(Func<TransferSession, CancellationToken, ValueTask<string>> name, Action<string> discard,
        CancellationToken ct)
    {
        string? path = null;
        SessionLease? other = null;
        var lease = await pool.LeaseAsync(ct).ConfigureAwait(false);
        try
        {
            return await lease.Session.TrySegmentsAsync(
                async token => (other = await LeaseOtherAsync(token).ConfigureAwait(false))?.Session,
                async token => path = await name(lease.Session, token).ConfigureAwait(false),
                ct).ConfigureAwait(false);
        }
        finally
        {
            if (other is not null) await other.DisposeAsync().ConfigureAwait(false);
            await lease.DisposeAsync().ConfigureAwait(false);
            if (path is not null) discard(path);
        }
    }

    private async ValueTask<SessionLease?> LeaseOtherAsync(CancellationToken ct)
    {
        if (pool.Limit < 2) return null;
        using var patience = new CancellationTokenSource(Patience, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, ct);
        try
        {
            return await pool.LeaseAsync(either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            return null;
        }
    }
}
