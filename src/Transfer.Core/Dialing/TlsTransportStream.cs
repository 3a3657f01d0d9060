using System.Net.Security;
using Transfer.Sessions;

namespace Transfer.Dialing;

/// <summary>
/// The bytes under a connection's <see cref="SslStream"/>, which can send close_notify during a read (RFC 8446 section 6.1).
/// SslStream.ShutdownAsync enters OpenSSL without the lock that reading takes: beside a read that works on a session ticket or a key update
/// of TLS 1.3 the process crashes. So readers are held here meanwhile.
/// </summary>
/// <param name="inner">The connection, which this owns.</param>
internal sealed class TlsTransportStream(Stream inner) : SequentialStream
{
    private readonly Lock _gate = new();
    private TaskCompletionSource? _held;
    private bool _isReading; // a read is under way, and the reader does nothing else until its end

    public override bool CanRead => true;

    public override bool CanWrite => true;

    /// <summary>Sends close_notify, beside a read. No write may be under way.</summary>
    /// <param name="tls">The TLS connection above this stream.</param>
    /// <param name="limit">The longest time for sending.</param>
    /// <param name="time">The clock.</param>
    /// <returns>The reason for not sending: bytes received are being worked on, or the connection is lost; null: sent.</returns>
    public async ValueTask<string?> SayGoodbyeAsync(SslStream tls, TimeSpan limit, TimeProvider time)
    {
        if (!TryHoldReads()) return "received bytes are being worked on";
        try
        {
            await TlsCloseNotify.SendAsync(tls).WaitAsync(limit, time).ConfigureAwait(false);
            return null;
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException or InvalidOperationException or TimeoutException)
        {
            return e.Message;
        }
        finally
        {
            ReleaseReads();
        }
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        lock (_gate) _isReading = true;
        int read;
        try
        {
            read = await inner.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            while (Awake() is { } held) await held.ConfigureAwait(false);
        }
        return read;
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
        inner.WriteAsync(buffer, cancellationToken);

    public override Task FlushAsync(CancellationToken cancellationToken) => inner.FlushAsync(cancellationToken);

    public override void Flush() => inner.Flush();

    /// <summary>
    /// Keeps a read waiting, also when bytes arrive, until <see cref="ReleaseReads"/>. False: no read waits for bytes now, so a reader may
    /// be working on some.
    /// </summary>
    public bool TryHoldReads()
    {
        lock (_gate)
        {
            if (!_isReading || _held is not null) return false;
            _held = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return true;
        }
    }

    /// <summary>Ends the hold of <see cref="TryHoldReads"/>.</summary>
    public void ReleaseReads()
    {
        lock (_gate)
        {
            _held?.SetResult();
            _held = null;
        }
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing) inner.Dispose();
        base.Dispose(disposing);
    }

    private Task? Awake()
    {
        lock (_gate)
        {
            _isReading = _held is not null;
            return _held?.Task;
        }
    }
}
