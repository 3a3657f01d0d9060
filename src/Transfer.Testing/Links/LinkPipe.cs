using System.Buffers;
using System.Net.Sockets;
using System.Threading.Channels;
using Transfer.Companions;

namespace Transfer.Testing.Links;

/// <summary>One direction of one connection: bytes read from one socket are written to the other when they have arrived there.</summary>
internal sealed class LinkPipe
{
    private readonly LinkWire _wire;
    private readonly LinkClock _clock;
    private readonly LinkGate _gate;
    private readonly long _opensAt;
    private readonly ByteBudget _budget;
    private readonly Channel<LinkSegment> _queue =
        Channel.CreateUnbounded<LinkSegment>(new UnboundedChannelOptions { SingleReader = true });
    private long _lastArrival;

    /// <param name="wire">The direction's shared part.</param>
    /// <param name="clock">The link's clock.</param>
    /// <param name="gate">The link's stall.</param>
    /// <param name="opensAt">When the first byte may leave: after the handshake.</param>
    public LinkPipe(LinkWire wire, LinkClock clock, LinkGate gate, long opensAt)
    {
        _wire = wire;
        _clock = clock;
        _gate = gate;
        _opensAt = opensAt;
        // As long as one byte is free, a whole chunk is taken.
        _budget = new ByteBudget(Math.Max(1, wire.Capacity) + wire.ChunkSize - 1, reserved: 0);
    }

    /// <summary>Takes bytes from a socket until its end; a FIN or RST travels like bytes.</summary>
    public async Task ReadAsync(Socket source, CancellationToken ct)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(_wire.ChunkSize);
        try
        {
            while (true)
            {
                var count = await source.ReceiveAsync(buffer.AsMemory(0, _wire.ChunkSize), ct).ConfigureAwait(false);
                if (count == 0) break;

                // Copied, so that a small message does not keep a large buffer on the way.
                var data = ArrayPool<byte>.Shared.Rent(count);
                buffer.AsSpan(0, count).CopyTo(data);
                var share = await _budget.TakeAsync(count, ct).ConfigureAwait(false);
                _queue.Writer.TryWrite(new LinkSegment(Arrival(count), LinkSegmentKind.Data, data, count, share));
            }

            End(LinkSegmentKind.Fin);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            End(LinkSegmentKind.Reset);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    /// <summary>Sends a FIN or RST after the bytes on the way; false when one is already.</summary>
    public bool End(LinkSegmentKind kind) => _queue.Writer.TryWrite(new LinkSegment(Arrival(0), kind)) && _queue.Writer.TryComplete();

    /// <summary>Delivers to a socket. Returns the kind of end: a FIN that was passed on, or a RST that the caller must pass on.</summary>
    /// <exception cref="SocketException">The receiving socket is gone.</exception>
    public async Task<LinkSegmentKind> WriteAsync(Socket destination, Action cut, CancellationToken ct)
    {
        await foreach (var segment in _queue.Reader.ReadAllAsync(ct).ConfigureAwait(false))
        {
            await _clock.UntilAsync(segment.Arrives, ct).ConfigureAwait(false);
            await _gate.WaitUntilOpenAsync(ct).ConfigureAwait(false);
            if (segment.Kind == LinkSegmentKind.Reset) return segment.Kind;
            if (segment.Kind == LinkSegmentKind.Fin)
            {
                destination.Shutdown(SocketShutdown.Send);
                return segment.Kind;
            }

            var count = _wire.Deliver(segment.Length, out var isCut);
            for (var sent = 0; sent < count;)
                sent += await destination.SendAsync(segment.Buffer.AsMemory(sent, count - sent), ct).ConfigureAwait(false);
            segment.Share!.Dispose();
            ArrayPool<byte>.Shared.Return(segment.Buffer!);
            if (isCut)
            {
                cut();
                _wire.Restore();
            }

            if (isCut || count < segment.Length) return LinkSegmentKind.Reset;
        }

        return LinkSegmentKind.Reset;
    }

    private long Arrival(int bytes) => _lastArrival = Math.Max(_lastArrival, _wire.Send(bytes, _opensAt));
}
