using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Transfer.Sftp.Ssh.Ciphers;

/// <summary>
/// AES in counter mode (RFC 4344 section 4). The platform has no such mode: many counters at a time are encrypted in ECB mode, which keeps
/// AES-NI busy, and the result is XORed onto the data. The position runs on across calls.
/// </summary>
internal sealed class CtrKeyStream : IDisposable
{
    private const int BlockSize = 16;
    private const int BatchSize = 16 * 1024;

    private readonly ICryptoTransform _ecb;
    private readonly byte[] _counters = new byte[BatchSize];
    private readonly byte[] _stream = new byte[BatchSize];
    private UInt128 _counter;
    private int _used = BatchSize;

    public CtrKeyStream(ReadOnlySpan<byte> key, ReadOnlySpan<byte> counter)
    {
        using var aes = Aes.Create();
        aes.SetKey(key);
#pragma warning disable CA5358 // ECB over counters that never repeat is what counter mode is.
        aes.Mode = CipherMode.ECB;
#pragma warning restore CA5358
        aes.Padding = PaddingMode.None;
        _ecb = aes.CreateEncryptor();
        _counter = BinaryPrimitives.ReadUInt128BigEndian(counter);
    }

    /// <summary>Encrypts or decrypts in place.</summary>
    public void Apply(Span<byte> data)
    {
        while (!data.IsEmpty)
        {
            if (_used == BatchSize) Refill();
            var count = Math.Min(data.Length, BatchSize - _used);
            Xor(data[..count], _stream.AsSpan(_used, count));
            _used += count;
            data = data[count..];
        }
    }

    public void Dispose()
    {
        _ecb.Dispose();
        CryptographicOperations.ZeroMemory(_stream);
    }

    private void Refill()
    {
        for (var at = 0; at < BatchSize; at += BlockSize)
            BinaryPrimitives.WriteUInt128BigEndian(_counters.AsSpan(at), _counter++);
        _ecb.TransformBlock(_counters, 0, BatchSize, _stream, 0);
        _used = 0;
    }

    private static void Xor(Span<byte> data, ReadOnlySpan<byte> stream)
    {
        var whole = data.Length - (data.Length % Vector<byte>.Count);
        var wide = MemoryMarshal.Cast<byte, Vector<byte>>(data[..whole]);
        var wideStream = MemoryMarshal.Cast<byte, Vector<byte>>(stream[..whole]);
        for (var i = 0; i < wide.Length; i++) wide[i] ^= wideStream[i];
        for (var i = whole; i < data.Length; i++) data[i] ^= stream[i];
    }
}
