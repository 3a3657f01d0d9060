using System.Buffers;
using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Sessions;

namespace Transfer.Batch.Carriers.Link;

/// <summary>Takes the bytes of one archive and sends them over a lane, in messages that are worth their header.</summary>
internal sealed class ArchiveWriteStream : SequentialStream
{
    private readonly LinkWriter _writer;
    private readonly ContentPace? _flow;
    private readonly Action<int> _onSent;
    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(LinkWriter.DataLength);
    private int _filled;

    /// <param name="writer">The writer of the lane.</param>
    /// <param name="flow">The pace of content; null: none.</param>
    /// <param name="onSent">Receives the number of bytes of each message.</param>
    public ArchiveWriteStream(LinkWriter writer, ContentPace? flow, Action<int> onSent)
    {
        _onSent = onSent;
        _writer = writer;
        _flow = flow;
    }

    /// <summary>The bytes taken so far.</summary>
    public long Taken { get; private set; }

    public override bool CanWrite => true;

    public override long Position
    {
        get => Taken;
        set => throw new NotSupportedException();
    }

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Taken += buffer.Length;
        while (!buffer.IsEmpty)
        {
            if (_filled == 0 && buffer.Length >= LinkWriter.DataLength)
            {
                await SendAsync(buffer[..LinkWriter.DataLength], cancellationToken).ConfigureAwait(false);
                buffer = buffer[LinkWriter.DataLength..];
                continue;
            }
            var count = Math.Min(buffer.Length, LinkWriter.DataLength - _filled);
            buffer[..count].CopyTo(_buffer.AsMemory(_filled));
            _filled += count;
            buffer = buffer[count..];
            if (_filled == LinkWriter.DataLength) await FlushAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    public override async Task FlushAsync(CancellationToken cancellationToken)
    {
        if (_filled == 0) return;
        await SendAsync(_buffer.AsMemory(0, _filled), cancellationToken).ConfigureAwait(false);
        _filled = 0;
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing && _buffer.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = [];
        }
        base.Dispose(disposing);
    }

    private async ValueTask SendAsync(ReadOnlyMemory<byte> data, CancellationToken ct)
    {
        // A little at a time, so that a slow rate looks like a flow.
        while (_flow?.MostAtOnce is { } most && data.Length > most)
        {
            await TakeAndSendAsync(data[..most], ct).ConfigureAwait(false);
            data = data[most..];
        }
        await TakeAndSendAsync(data, ct).ConfigureAwait(false);
    }

    private async ValueTask TakeAndSendAsync(ReadOnlyMemory<byte> data, CancellationToken ct)
    {
        if (_flow is not null) await _flow.AdmitAsync(data.Length, ct).ConfigureAwait(false);
        await _writer.WriteDataAsync(data, ct).ConfigureAwait(false);
        _onSent(data.Length);
    }
}
