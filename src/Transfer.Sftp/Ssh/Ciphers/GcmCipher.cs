using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Transfer.Sftp.Ssh.Ciphers;

/// <summary>
/// AES-GCM (RFC 5647 section 7, under OpenSSH's names): the length travels in the clear and is authenticated; the nonce's last eight bytes
/// count packets.
/// </summary>
internal sealed class GcmCipher : PacketCipher
{
    public const int NonceSize = 12;
    private const int FixedNonceSize = 4;
    private const int GcmTagSize = 16;

    private readonly AesGcm _aes;
    private readonly byte[] _nonce;
    private ulong _counter;

    public GcmCipher(ReadOnlySpan<byte> key, ReadOnlySpan<byte> nonce)
    {
        _aes = new AesGcm(key, GcmTagSize);
        _nonce = nonce[..NonceSize].ToArray();
        _counter = BinaryPrimitives.ReadUInt64BigEndian(_nonce.AsSpan(FixedNonceSize));
    }

    public override int BlockSize => 16;

    public override int TagSize => GcmTagSize;

    public override bool AlignsLength => false;

    public override int HeaderSize => LengthSize;

    public override void Seal(uint sequence, Span<byte> packet, Span<byte> tag)
    {
        var body = packet[LengthSize..];
        _aes.Encrypt(_nonce, body, body, tag, packet[..LengthSize]);
        NextNonce();
    }

    public override uint OpenLength(uint sequence, Span<byte> header) => BinaryPrimitives.ReadUInt32BigEndian(header);

    public override bool Open(uint sequence, Span<byte> packet, ReadOnlySpan<byte> tag)
    {
        var body = packet[LengthSize..];
        try
        {
            _aes.Decrypt(_nonce, body, tag, body, packet[..LengthSize]);
        }
        catch (AuthenticationTagMismatchException)
        {
            return false;
        }

        NextNonce();
        return true;
    }

    public override void Dispose()
    {
        _aes.Dispose();
        base.Dispose();
    }

    private void NextNonce() => BinaryPrimitives.WriteUInt64BigEndian(_nonce.AsSpan(FixedNonceSize), ++_counter);
}
