using System.Buffers;
using System.Security.Cryptography;
using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Archive.Format;

/// <summary>Reads one archive: returns the payload piece by piece, each proved authentic before.</summary>
internal sealed class ArchiveReader : IDisposable
{
    private readonly Stream _source;
    private readonly FrameSequence _frames;
    private readonly int _mostPayload;
    private readonly byte[] _headBytes = new byte[FrameHead.Length];
    private readonly BudgetShare? _share;
    private byte[] _buffer;
    private bool _ended;

    private ArchiveReader(Stream source, ArchiveHeader header, FrameSequence frames, BudgetShare? share)
    {
        _source = source;
        _frames = frames;
        Header = header;
        _share = share;
        _mostPayload = 1 << header.FrameBits;
        _buffer = ArrayPool<byte>.Shared.Rent(BytesFor(_mostPayload));
    }

    /// <summary>The header, authentic once a sealed frame has been read.</summary>
    public ArchiveHeader Header { get; }

    /// <summary>The digest that identifies the archive, once all of it has been read.</summary>
    public byte[] Digest { get; private set; } = [];

    // One array: the pool's lengths are powers of two, and three of them would be half empty.
    private Memory<byte> Body => _buffer.AsMemory(0, _mostPayload + FrameSequence.TagLength);

    private Memory<byte> Payload => _buffer.AsMemory(_mostPayload + FrameSequence.TagLength, _mostPayload);

    private Memory<byte> Text => _buffer.AsMemory((2 * _mostPayload) + FrameSequence.TagLength, SplitCoding.MostText(_mostPayload));

    /// <summary>Reads the header and finds the key.</summary>
    /// <param name="source">The archive.</param>
    /// <param name="keys">The keys that may open the archive.</param>
    /// <param name="ct">Stops reading.</param>
    /// <param name="budget">The budget of the memory for reading and unpacking, taken until the archive has been read; null:
    /// unlimited.</param>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Protocol"/>: there is no archive; <see cref="TransferError.Auth"/>: no key fits;
    /// <see cref="TransferError.Integrity"/>: cut off.
    /// </exception>
    public static async ValueTask<ArchiveReader> OpenAsync(Stream source, KeyRing keys, CancellationToken ct, ByteBudget? budget = null)
    {
        var front = new byte[ArchiveHeader.FrontLength];
        await ReadAsync(source, front, ct).ConfigureAwait(false);
        var bytes = new byte[ArchiveHeader.LengthOf(front)];
        front.CopyTo(bytes, 0);
        await ReadAsync(source, bytes.AsMemory(front.Length), ct).ConfigureAwait(false);
        var header = ArchiveHeader.Parse(bytes);
        using var secret = keys.Open(header);
        var share = budget is null
            ? null : await budget.TakeAsync(BytesFor(1 << header.FrameBits) + DeltaInstructions.CopyBuffer, ct).ConfigureAwait(false);
        return new ArchiveReader(source, header, new FrameSequence(bytes, header.Job, header.Index, header.Salt.Span, secret), share);
    }

    /// <summary>Returns the next piece of the payload, valid until the next call; null: the archive is complete, nothing follows, and all
    /// of it is authentic.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Integrity"/> or <see cref="TransferError.Protocol"/>.</exception>
    public async ValueTask<ReadOnlyMemory<byte>?> NextAsync(CancellationToken ct)
    {
        if (_ended)
        {
            // Early, since flushing the archive's files takes longer than reading.
            Free();
            return null;
        }
        await ReadAsync(_source, _headBytes, ct).ConfigureAwait(false);
        var head = FrameHead.Parse(_headBytes, _mostPayload);
        var frame = Body[..(head.BodyLength + _frames.TagRoom)];
        await ReadAsync(_source, frame, ct).ConfigureAwait(false);
        _frames.Open(head, _headBytes, frame.Span);
        if (head.IsLast) await EndAsync(ct).ConfigureAwait(false);
        if (head.Coding == FrameCoding.Stored) return Body[..head.BodyLength];
        SplitCoding.Decode(Body.Span[..head.BodyLength], Text.Span, Payload.Span[..head.PayloadLength]);
        return Payload[..head.PayloadLength];
    }

    public void Dispose()
    {
        _frames.Dispose();
        Free();
    }

    private static int BytesFor(int mostPayload) => (2 * mostPayload) + FrameSequence.TagLength + SplitCoding.MostText(mostPayload);

    private void Free()
    {
        if (_buffer.Length == 0) return;
        ArrayPool<byte>.Shared.Return(_buffer, clearArray: Header.IsSealed);
        _buffer = [];
        _share?.Dispose();
    }

    private async ValueTask EndAsync(CancellationToken ct)
    {
        _ended = true;
        Digest = _frames.Digest();
        if (!Header.IsSealed)
        {
            var told = new byte[SHA256.HashSizeInBytes];
            await ReadAsync(_source, told, ct).ConfigureAwait(false);
            if (!told.AsSpan().SequenceEqual(Digest))
                throw new TransferException(TransferError.Integrity, "The archive was changed on its way: its checksum is another.");
        }
        if (await _source.ReadAsync(new byte[1], ct).ConfigureAwait(false) != 0)
            throw new TransferException(TransferError.Protocol, "Something stands behind the archive's end.");
    }

    private static async ValueTask ReadAsync(Stream source, Memory<byte> into, CancellationToken ct)
    {
        if (await source.ReadAtLeastAsync(into, into.Length, throwOnEndOfStream: false, ct).ConfigureAwait(false) < into.Length)
            throw new TransferException(TransferError.Integrity, "The archive is cut off.");
    }
}
