using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Pooling;
using Transfer.Sessions;

namespace Transfer.Engine.Segments;

/// <summary>
/// Whether a client's server takes one file from several sessions, of a protocol in which it cannot say so: tried when somebody asks for segments of an upload, and
/// remembered (docs/adr/0007-ftp-uploads-in-one-piece.md).
/// </summary>
internal sealed class SegmentProbe(SessionPool pool, ILogger logger, TimeProvider time) : IDisposable
{
    // Others may have all sessions for as long as they like.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private readonly SemaphoreSlim _one = new(1);
    private volatile bool _isKnown;
    private volatile bool _succeeded;

    /// <summary>It was tried, and went well.</summary>
    public bool Succeeded => _succeeded;

    /// <summary>Tries it, unless it is known.</summary>
    /// <param name="name">Gives a name that is nobody's, in a folder that is there then.</param>
    /// <param name="discard">Has the file of that name deleted.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask RunAsync(Func<TransferSession, CancellationToken, ValueTask<string>> name, Action<string> discard, CancellationToken ct)
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
            // It need not have to do with segments, and the file itself will show.
            Log.WritesAlone(logger, e.Message);
        }
        finally
        {
            _one.Release();
        }
    }

    public void Dispose() => _one.Dispose();

    private async ValueTask<string?> TryAsync(Func<TransferSession, CancellationToken, ValueTask<string>> name, Action<string> discard, CancellationToken ct)
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
