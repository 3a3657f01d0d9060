using System.Buffers;
using System.Security.Cryptography;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Archive.Format;

/// <summary>Writes one archive: header, frames as they fill, and the end. While one frame is on its way the next one is filled.</summary>
internal sealed class ArchiveWriter : PayloadWriter, IAsyncDisposable
{
    private readonly Stream _destination;
    private readonly FrameSequence _frames;
    private readonly bool _compress;
    private readonly bool _sealed;
    private readonly int _mostPayload;
    private readonly List<FrameRun> _runs = [];
    private readonly byte[] _header;
    private byte[] _payload;
    private byte[] _buffer;
    private Memory<byte> _frame;
    private Memory<byte> _sending;
    private int _filled;
    private Task _sent;

    /// <param name="destination">Gets the bytes. Belongs to the caller.</param>
    /// <param name="header">The archive's header.</param>
    /// <param name="secret">The job's secret; null: not sealed.</param>
    /// <param name="compress">Frames are compressed where that pays.</param>
    public ArchiveWriter(Stream destination, ArchiveHeader header, JobSecret? secret, bool compress)
    {
        _destination = destination;
        _header = header.ToBytes();
        _compress = compress;
        _sealed = header.IsSealed;
        _mostPayload = 1 << header.FrameBits;
        _frames = new FrameSequence(_header, header.Job, header.Index, header.Salt.Span, secret);
        _payload = ArrayPool<byte>.Shared.Rent(_mostPayload);
        // One array: the pool's lengths are powers of two, and three of them would be half empty.
        _buffer = ArrayPool<byte>.Shared.Rent(BytesFor(_mostPayload) - _mostPayload);
        _frame = _buffer.AsMemory(SplitCoding.MostText(_mostPayload), MostFrame(_mostPayload));
        _sending = _buffer.AsMemory(SplitCoding.MostText(_mostPayload) + _frame.Length, _frame.Length);
        _sent = Task.CompletedTask;
        Length = _header.Length;
    }

    /// <summary>Returns the memory of a writer in bytes, for frames with a payload of this length.</summary>
    public static int BytesFor(int mostPayload) => mostPayload + SplitCoding.MostText(mostPayload) + (2 * MostFrame(mostPayload));

    /// <summary>The bytes of the archive so far.</summary>
    public long Length { get; private set; }

    /// <summary>The digest that identifies the archive, once complete.</summary>
    public byte[] Digest { get; private set; } = [];

    public override Memory<byte> Room => _payload.AsMemory(_filled, _mostPayload - _filled);

    public override void Advance(int count, bool shrinks)
    {
        _filled += count;
        if (_runs.Count > 0 && _runs[^1] is var run && run.Shrinks == shrinks) _runs[^1] = run with { Length = run.Length + count };
        else _runs.Add(new FrameRun(count, shrinks));
    }

    public override ValueTask FlushAsync(CancellationToken ct) => SendAsync(isLast: false, ct);

    public override async ValueTask CompleteAsync(CancellationToken ct)
    {
        await SendAsync(isLast: true, ct).ConfigureAwait(false);
        await _sent.ConfigureAwait(false);
        Digest = _frames.Digest();
        if (_sealed) return;
        await _destination.WriteAsync(Digest, ct).ConfigureAwait(false);
        Length += SHA256.HashSizeInBytes;
    }

    public async ValueTask DisposeAsync()
    {
        // The caller knows the reason already; the write must end before the buffer is returned.
        await _sent.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _frames.Dispose();
        // Cleared, since content to be sealed must not leak to the next renter.
        ArrayPool<byte>.Shared.Return(_payload, clearArray: _sealed);
        ArrayPool<byte>.Shared.Return(_buffer, clearArray: _sealed);
        _payload = _buffer = [];
        _frame = _sending = default;
    }

    private static int MostFrame(int mostPayload) => FrameHead.Length + mostPayload + FrameSequence.TagLength;

    private async ValueTask SendAsync(bool isLast, CancellationToken ct)
    {
        var length = Seal(isLast);
        await _sent.ConfigureAwait(false);
        (_frame, _sending) = (_sending, _frame);
        _sent = WriteAsync(_sending[..length], isFirst: Length == _header.Length, ct);
        Length += length;
    }

    private async Task WriteAsync(ReadOnlyMemory<byte> frame, bool isFirst, CancellationToken ct)
    {
        if (isFirst) await _destination.WriteAsync(_header, ct).ConfigureAwait(false);
        await _destination.WriteAsync(frame, ct).ConfigureAwait(false);
    }

    private int Seal(bool isLast)
    {
        var payload = _payload.AsSpan(0, _filled);
        var body = _frame.Span.Slice(FrameHead.Length, _filled);
        var length = _compress ? SplitCoding.Encode(payload, _runs, _buffer.AsSpan(0, SplitCoding.MostText(_mostPayload)), body) : 0;
        if (length == 0) payload.CopyTo(body);
        var head = new FrameHead(isLast, length == 0 ? FrameCoding.Stored : FrameCoding.Split, length == 0 ? _filled : length, _filled);
        var frame = _frame.Span[..(FrameHead.Length + head.BodyLength + _frames.TagRoom)];
        _frames.Seal(head, frame);
        _filled = 0;
        _runs.Clear();
        return frame.Length;
    }
}
