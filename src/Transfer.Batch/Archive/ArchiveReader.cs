using System.Buffers;
using System.Security.Cryptography;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Archive;

/// <summary>Reads one archive: gives its payload piece by piece, each authentic before it is given.</summary>
internal sealed class ArchiveReader : IDisposable
{
    private readonly Stream _source;
    private readonly FrameSequence _frames;
    private readonly int _mostPayload;
    private readonly byte[] _headBytes = new byte[FrameHead.Length];
    private byte[] _body;
    private byte[] _payload;
    private byte[] _text;
    private bool _ended;

    private ArchiveReader(Stream source, ArchiveHeader header, FrameSequence frames)
    {
        _source = source;
        _frames = frames;
        Header = header;
        _mostPayload = 1 << header.FrameBits;
        _body = ArrayPool<byte>.Shared.Rent(_mostPayload + FrameSequence.TagLength);
        _payload = ArrayPool<byte>.Shared.Rent(_mostPayload);
        _text = ArrayPool<byte>.Shared.Rent(SplitCoding.MostText(_mostPayload));
    }

    /// <summary>The header. What it says is authentic when a sealed frame was read.</summary>
    public ArchiveHeader Header { get; }

    /// <summary>What names the archive, when all of it was read.</summary>
    public byte[] Digest { get; private set; } = [];

    /// <summary>Reads the header and finds the key.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Protocol"/>: there is no archive; <see cref="TransferError.Auth"/>: no key fits; <see cref="TransferError.Integrity"/>: cut off.
    /// </exception>
    public static async ValueTask<ArchiveReader> OpenAsync(Stream source, KeyRing keys, CancellationToken ct)
    {
        var front = new byte[ArchiveHeader.FrontLength];
        await ReadAsync(source, front, ct).ConfigureAwait(false);
        var bytes = new byte[ArchiveHeader.LengthOf(front)];
        front.CopyTo(bytes, 0);
        await ReadAsync(source, bytes.AsMemory(front.Length), ct).ConfigureAwait(false);
        var header = ArchiveHeader.Parse(bytes);
        using var secret = keys.Open(header);
        return new ArchiveReader(source, header, new FrameSequence(bytes, header.Job, header.Index, header.Salt.Span, secret));
    }

    /// <summary>The next piece of the payload, until the next call; null: there was the last, nothing follows, and all of it is authentic.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Integrity"/> or <see cref="TransferError.Protocol"/>.</exception>
    public async ValueTask<ReadOnlyMemory<byte>?> NextAsync(CancellationToken ct)
    {
        if (_ended) return null;
        await ReadAsync(_source, _headBytes, ct).ConfigureAwait(false);
        var head = FrameHead.Parse(_headBytes, _mostPayload);
        var frame = _body.AsMemory(0, head.BodyLength + _frames.TagRoom);
        await ReadAsync(_source, frame, ct).ConfigureAwait(false);
        _frames.Open(head, _headBytes, frame.Span);
        if (head.IsLast) await EndAsync(ct).ConfigureAwait(false);
        if (head.Coding == FrameCoding.Stored) return _body.AsMemory(0, head.BodyLength);
        SplitCoding.Decode(_body.AsSpan(0, head.BodyLength), _text, _payload.AsSpan(0, head.PayloadLength));
        return _payload.AsMemory(0, head.PayloadLength);
    }

    public void Dispose()
    {
        _frames.Dispose();
        ArrayPool<byte>.Shared.Return(_body, clearArray: Header.IsSealed);
        ArrayPool<byte>.Shared.Return(_payload, clearArray: Header.IsSealed);
        ArrayPool<byte>.Shared.Return(_text, clearArray: Header.IsSealed);
        _body = _payload = _text = [];
    }

    private async ValueTask EndAsync(CancellationToken ct)
    {
        _ended = true;
        Digest = _frames.Digest();
        if (!Header.IsSealed)
        {
            var told = new byte[SHA256.HashSizeInBytes];
            await ReadAsync(_source, told, ct).ConfigureAwait(false);
            if (!told.AsSpan().SequenceEqual(Digest)) throw new TransferException(TransferError.Integrity, "The archive was changed on its way: its checksum is another.");
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
