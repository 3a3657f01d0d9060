using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Transfer.Sftp.Ssh.Ciphers;

/// <summary>The MAC of packets: HMAC over the sequence number and the packet (RFC 4253 section 6.4, RFC 6668).</summary>
internal sealed class PacketMac(HashAlgorithmName hash, ReadOnlySpan<byte> key, int size) : IDisposable
{
    private readonly IncrementalHash _hmac = IncrementalHash.CreateHMAC(hash, key);

    public int Size => size;

    public void Compute(uint sequence, ReadOnlySpan<byte> packet, Span<byte> tag)
    {
        Span<byte> number = stackalloc byte[4];
        BinaryPrimitives.WriteUInt32BigEndian(number, sequence);
        _hmac.AppendData(number);
        _hmac.AppendData(packet);
        _hmac.GetHashAndReset(tag[..size]);
    }

    public bool Verify(uint sequence, ReadOnlySpan<byte> packet, ReadOnlySpan<byte> tag)
    {
        Span<byte> expected = stackalloc byte[size];
        Compute(sequence, packet, expected);
        return CryptographicOperations.FixedTimeEquals(expected, tag);
    }

    public void Dispose() => _hmac.Dispose();
}
