using System.Buffers;

namespace Transfer.Testing.Tls;

/// <summary>
/// Watches a connection's TLS from below: whether the handshake resumed a session, and whether the peer ended without close_notify. Can
/// hold back the session tickets of TLS 1.3 until the server has other data to send. A client that only writes never reads the tickets,
/// and tickets unread in its system at the close would make a RST in place of a FIN and drop unsent data (RFC 1122 section 4.2.2.13). Go's
/// TLS is such a client.
/// </summary>
internal sealed class TlsTap : PassThroughStream
{
    private readonly HandshakeWatcher _watcher;
    private readonly ArrayBufferWriter<byte> _held = new();
    private bool _hasAnswered;
    private bool _holds;

    /// <param name="inner">The network.</param>
    /// <param name="sessions">The sessions that may be resumed.</param>
    /// <param name="holdsTickets">Whether tickets are held back, until <see cref="Establish"/> and the next write.</param>
    public TlsTap(Stream inner, TlsSessions sessions, bool holdsTickets = false)
        : base(inner)
    {
        _watcher = new HandshakeWatcher(sessions);
        _holds = holdsTickets;
    }

    /// <summary>Whether the handshake resumed a session of the same control connection. Sound once the handshake is done.</summary>
    public bool IsResumed => _watcher.IsResumedFromOwn;

    /// <summary>Whether the TCP stream has ended; when TLS ends and this is false, a close_notify has ended it.</summary>
    public bool HasTcpEnded { get; private set; }

    /// <summary>Ends the handshake: later writes leave, after the tickets held.</summary>
    public void Establish() => _holds = false;

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var count = await Inner.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
        if (count == 0 && !buffer.IsEmpty) HasTcpEnded = true;
        _watcher.Received(buffer.Span[..count]);

        // The client's answer to the hello; the server's handshake ends with the hello's flight.
        _hasAnswered |= count > 0 && _watcher.HasSentHello13;
        return count;
    }

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        _watcher.Sent(buffer.Span);
        if (_holds && _hasAnswered)
        {
            _held.Write(buffer.Span);
            return;
        }

        if (_held.WrittenCount > 0)
        {
            await Inner.WriteAsync(_held.WrittenMemory, cancellationToken).ConfigureAwait(false);
            _held.ResetWrittenCount();
        }

        await Inner.WriteAsync(buffer, cancellationToken).ConfigureAwait(false);
    }
}
