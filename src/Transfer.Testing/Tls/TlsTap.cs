namespace Transfer.Testing.Tls;

/// <summary>Watches a connection's TLS from below: whether the handshake resumed a session, and whether the peer ended without close_notify.</summary>
internal sealed class TlsTap : PassThroughStream
{
    private readonly HandshakeWatcher _watcher;

    public TlsTap(Stream inner, TlsSessions sessions)
        : base(inner) => _watcher = new HandshakeWatcher(sessions);

    /// <summary>Whether the handshake resumed a session of the same control connection. Sound once the handshake is done.</summary>
    public bool IsResumed => _watcher.IsResumedFromOwn;

    /// <summary>The TCP stream has ended; when TLS ends and this is false, a close_notify has ended it.</summary>
    public bool HasTcpEnded { get; private set; }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var count = await Inner.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
        if (count == 0 && !buffer.IsEmpty) HasTcpEnded = true;
        _watcher.Received(buffer.Span[..count]);
        return count;
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        _watcher.Sent(buffer.Span);
        return Inner.WriteAsync(buffer, cancellationToken);
    }
}
