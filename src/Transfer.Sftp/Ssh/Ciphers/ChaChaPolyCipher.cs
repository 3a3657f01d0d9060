using System.Buffers.Binary;
using System.Security.Cryptography;
using Org.BouncyCastle.Crypto.Engines;
using Org.BouncyCastle.Crypto.Macs;
using Org.BouncyCastle.Crypto.Parameters;

namespace Transfer.Sftp.Ssh.Ciphers;

/// <summary>
/// chacha20-poly1305@openssh.com (PROTOCOL.chacha20poly1305 in OpenSSH's source), older than RFC 8439 and another construction: ChaCha20
/// with a counter and a nonce of 64 bits each, the nonce being the packet's sequence number; the length is encrypted by a key of its own,
/// and Poly1305 covers both encrypted parts.
/// </summary>
internal sealed class ChaChaPolyCipher : PacketCipher
{
    /// <summary>The size of both keys: that of the packet, then that of the length.</summary>
    public const int KeySize = 2 * PartSize;

    private const int PartSize = 32;
    private const int PolyTagSize = 16;

    // The first block of the key stream is for Poly1305; the packet begins with the second.
    private const int StreamBlock = 64;

    private readonly ChaChaEngine _body = new(20);
    private readonly ChaChaEngine _length = new(20);
    private readonly Poly1305 _poly = new();
    private readonly KeyParameter _bodyKey;
    private readonly KeyParameter _lengthKey;
    private readonly byte[] _nonce = new byte[8];
    private readonly byte[] _block = new byte[StreamBlock];

    public ChaChaPolyCipher(ReadOnlySpan<byte> key)
    {
        _bodyKey = new KeyParameter(key[..PartSize]);
        _lengthKey = new KeyParameter(key.Slice(PartSize, PartSize));
    }

    public override int BlockSize => 8;

    public override int TagSize => PolyTagSize;

    public override bool AlignsLength => false;

    public override int HeaderSize => LengthSize;

    public override void Seal(uint sequence, Span<byte> packet, Span<byte> tag)
    {
        Begin(_length, _lengthKey, sequence);
        _length.ProcessBytes(packet[..LengthSize], packet[..LengthSize]);
        BeginBody(sequence);
        _body.ProcessBytes(packet[LengthSize..], packet[LengthSize..]);
        Authenticate(packet, tag);
    }

    public override uint OpenLength(uint sequence, Span<byte> header)
    {
        // The header stays encrypted: the tag covers the encrypted bytes.
        Span<byte> length = stackalloc byte[LengthSize];
        Begin(_length, _lengthKey, sequence);
        _length.ProcessBytes(header[..LengthSize], length);
        return BinaryPrimitives.ReadUInt32BigEndian(length);
    }

    public override bool Open(uint sequence, Span<byte> packet, ReadOnlySpan<byte> tag)
    {
        Span<byte> expected = stackalloc byte[PolyTagSize];
        BeginBody(sequence);
        Authenticate(packet, expected);
        if (!CryptographicOperations.FixedTimeEquals(expected, tag)) return false;
        _body.ProcessBytes(packet[LengthSize..], packet[LengthSize..]);
        return true;
    }

    public override void Dispose()
    {
        // Overwrites the keys in the engines with zeros: the library has no other way.
        Span<byte> nothing = stackalloc byte[PartSize];
        var none = new KeyParameter(nothing);
        Begin(_body, none, 0);
        Begin(_length, none, 0);
        CryptographicOperations.ZeroMemory(_block);
        base.Dispose();
    }

    private void Begin(ChaChaEngine engine, KeyParameter key, uint sequence)
    {
        BinaryPrimitives.WriteUInt64BigEndian(_nonce, sequence);
        engine.Init(forEncryption: true, new ParametersWithIV(key, _nonce));
    }

    private void BeginBody(uint sequence)
    {
        Begin(_body, _bodyKey, sequence);
        Array.Clear(_block);
        _body.ProcessBytes(_block, _block);
        _poly.Init(new KeyParameter(_block.AsSpan(0, PartSize)));
    }

    private void Authenticate(ReadOnlySpan<byte> packet, Span<byte> tag)
    {
        _poly.BlockUpdate(packet);
        _poly.DoFinal(tag);
    }
}
