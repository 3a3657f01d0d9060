using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Transfer.Batch.Sealing;

/// <summary>
/// The frames of one archive in order: AES-256-GCM in the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár 2015). The nonce is 7
/// bytes of the archive's key material, the frame's number, and a flag for the last frame; the header's digest and the frame's head are
/// associated data.
/// So no
/// frame can be changed, left out, repeated, moved or taken from another archive, and the end can't be cut off. Unsealed archives only have
/// the digest.
/// </summary>
internal sealed class FrameSequence : IDisposable
{
    public const int TagLength = 16;

    private const int KeyLength = 32;
    private const int PrefixLength = 7;

    private readonly AesGcm? _aes;
    private readonly IncrementalHash _digest = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private readonly byte[] _nonce = new byte[12];
    private readonly byte[] _associated = new byte[SHA256.HashSizeInBytes + FrameHead.Length];
    private uint _number;
    private bool _ended;

    /// <param name="header">The archive's header, in wire form.</param>
    /// <param name="job">The archive's job.</param>
    /// <param name="index">The archive's number.</param>
    /// <param name="salt">The archive's salt.</param>
    /// <param name="secret">The job's secret; null: not sealed.</param>
    public FrameSequence(ReadOnlySpan<byte> header, JobId job, long index, ReadOnlySpan<byte> salt, JobSecret? secret)
    {
        SHA256.HashData(header, _associated);
        _digest.AppendData(header);
        if (secret is null) return;
        Span<byte> key = stackalloc byte[JobSecret.ArchiveKeyLength];
        secret.DeriveArchiveKey(job, index, salt, key);
        _aes = new AesGcm(key[..KeyLength], TagLength);
        key[KeyLength..].CopyTo(_nonce);
        CryptographicOperations.ZeroMemory(key);
    }

    /// <summary>The bytes of the tag behind each body.</summary>
    public int TagRoom => _aes is null ? 0 : TagLength;

    /// <summary>Seals the next frame in place.</summary>
    /// <param name="head">The frame's head.</param>
    /// <param name="frame">Room for the head, the body, and room for the tag; head and tag are written.</param>
    public void Seal(FrameHead head, Span<byte> frame)
    {
        head.Write(frame);
        Begin(frame[..FrameHead.Length], head.IsLast);
        var body = frame.Slice(FrameHead.Length, head.BodyLength);
        var tag = frame[(FrameHead.Length + head.BodyLength)..];
        _aes?.Encrypt(_nonce, body, body, tag, _associated);
        End(frame[..FrameHead.Length], body, tag);
    }

    /// <summary>Opens the next frame in place.</summary>
    /// <param name="head">The frame's head, parsed.</param>
    /// <param name="headBytes">The same head as received.</param>
    /// <param name="body">The frame's body and tag.</param>
    /// <exception cref="TransferException"><see cref="TransferError.Integrity"/>: the frame is not as it was sealed.</exception>
    public void Open(FrameHead head, ReadOnlySpan<byte> headBytes, Span<byte> body)
    {
        Begin(headBytes, head.IsLast);
        var tag = body[head.BodyLength..];
        body = body[..head.BodyLength];
        // Before the body is decrypted: the digest covers the carried bytes.
        End(headBytes, body, tag);
        try
        {
            _aes?.Decrypt(_nonce, body, tag, body, _associated);
        }
        catch (AuthenticationTagMismatchException e)
        {
            throw new TransferException(TransferError.Integrity, "The archive was changed on its way, or sealed with another key.", e);
        }
    }

    /// <summary>The digest that identifies the archive, once all frames are through (docs/internals/batch-format.md, "Digest").</summary>
    public byte[] Digest() => _digest.GetCurrentHash();

    public void Dispose()
    {
        _aes?.Dispose();
        _digest.Dispose();
    }

    private void Begin(ReadOnlySpan<byte> head, bool isLast)
    {
        if (_ended) throw new InvalidOperationException("The archive has ended.");
        _ended = isLast;
        head.CopyTo(_associated.AsSpan(SHA256.HashSizeInBytes));
        BinaryPrimitives.WriteUInt32BigEndian(_nonce.AsSpan(PrefixLength), _number);
        _nonce[^1] = isLast ? (byte)1 : (byte)0;
        // Never in an archive of this packer; a nonce must not repeat all the same.
        if (_number == uint.MaxValue) throw new TransferException(TransferError.Protocol, "The archive has too many frames.");
        _number++;
    }

    // The tag of a sealed frame covers the body already.
    private void End(ReadOnlySpan<byte> head, ReadOnlySpan<byte> body, ReadOnlySpan<byte> tag)
    {
        _digest.AppendData(head);
        _digest.AppendData(_aes is null ? body : tag[..TagLength]);
    }
}
