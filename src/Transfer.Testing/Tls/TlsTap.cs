namespace Transfer.Testing.Tls;

/// <summary>Watches a data connection's TLS from below: whether the handshake resumed a session, and whether the peer ended without close_notify.</summary>
internal sealed class TlsTap : PassThroughStream
{
    private readonly ResumptionWatcher _watcher = new();

    public TlsTap(Stream inner)
        : base(inner)
    {
    }

    /// <summary>Whether the server's flight resumed a session. Sound once the handshake is done.</summary>
    public bool IsResumed => _watcher.IsResumed == true;

    /// <summary>The TCP stream has ended; when TLS ends and this is false, a close_notify has ended it.</summary>
    public bool HasTcpEnded { get; private set; }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var count = await Inner.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
        if (count == 0 && !buffer.IsEmpty) HasTcpEnded = true;
        return count;
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (_watcher.IsResumed is null) _watcher.Sent(buffer.Span);
        return Inner.WriteAsync(buffer, cancellationToken);
    }
}
