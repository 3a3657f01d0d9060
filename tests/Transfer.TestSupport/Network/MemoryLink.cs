using System.Threading.Channels;
using Transfer.Sessions;

namespace Transfer.TestSupport.Network;

/// <summary>
/// One end of a connection in memory. Every write of one end stays one chunk for the other, so tests see what left together.
/// </summary>
internal sealed class MemoryLink : SequentialStream
{
    private readonly Channel<byte[]> _incoming;
    private readonly Channel<byte[]> _outgoing;
    private ReadOnlyMemory<byte> _rest;

    private MemoryLink(Channel<byte[]> incoming, Channel<byte[]> outgoing)
    {
        _incoming = incoming;
        _outgoing = outgoing;
    }

    /// <summary>When set, reads give one byte each.</summary>
    public bool Trickle { get; set; }

    /// <summary>When set, writes wait for ever.</summary>
    public bool WritesHang { get; set; }

    public override bool CanRead => true;

    public override bool CanWrite => true;

    public static (MemoryLink Client, MemoryLink Server) Create()
    {
        var toServer = Channel.CreateUnbounded<byte[]>();
        var toClient = Channel.CreateUnbounded<byte[]>();
        return (new MemoryLink(toClient, toServer), new MemoryLink(toServer, toClient));
    }

    /// <summary>The next write of the other end, whole; null at its end.</summary>
    public async ValueTask<byte[]?> ReadChunkAsync() =>
        await _incoming.Reader.WaitToReadAsync() && _incoming.Reader.TryRead(out var chunk) ? chunk : null;

    /// <summary>Sends an end (FIN).</summary>
    public void End() => _outgoing.Writer.TryComplete();

    /// <summary>The other end's reads fail.</summary>
    public void Reset() => _outgoing.Writer.TryComplete(new IOException("reset"));

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        while (_rest.IsEmpty)
        {
            if (!await _incoming.Reader.WaitToReadAsync(cancellationToken))
                return 0;
            if (buffer.IsEmpty)
                return 0;
            if (_incoming.Reader.TryRead(out var chunk))
                _rest = chunk;
        }

        var count = Math.Min(Trickle ? Math.Min(1, buffer.Length) : buffer.Length, _rest.Length);
        _rest[..count].CopyTo(buffer);
        _rest = _rest[count..];
        return count;
    }

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (WritesHang)
        {
            await _incoming.Reader.Completion.WaitAsync(cancellationToken);
            throw new ObjectDisposedException(nameof(MemoryLink));
        }

        if (!_outgoing.Writer.TryWrite(buffer.ToArray()))
            throw new IOException("The other end is gone.");
    }

    protected override void Dispose(bool disposing)
    {
        _outgoing.Writer.TryComplete();
        _incoming.Writer.TryComplete();
        base.Dispose(disposing);
    }
}
