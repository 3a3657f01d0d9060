using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Transfer.Batch.Sealing;

/// <summary>32 random bytes from which every key of a job is derived. They leave this machine wrapped only
/// (<see cref="KeyWrap"/>).</summary>
internal sealed class JobSecret : IDisposable
{
    public const int Length = 32;

    /// <summary>The bytes that <see cref="DeriveArchiveKey"/> writes: the key, then the first seven bytes of the nonces.</summary>
    public const int ArchiveKeyLength = 32 + 7;

    private readonly byte[] _bytes = GC.AllocateUninitializedArray<byte>(Length, pinned: true);

    public JobSecret(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length != Length) throw new ArgumentException($"A job's secret has {Length} bytes.", nameof(bytes));
        bytes.CopyTo(_bytes);
    }

    public static JobSecret New()
    {
        Span<byte> bytes = stackalloc byte[Length];
        RandomNumberGenerator.Fill(bytes);
        var secret = new JobSecret(bytes);
        CryptographicOperations.ZeroMemory(bytes);
        return secret;
    }

    /// <summary>The secret itself, for wrapping.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes;

    /// <summary>Derives the key material of one archive, by HKDF-SHA256 (RFC 5869). The salt is fresh for every writing of an archive, and
    /// so is the key.</summary>
    public void DeriveArchiveKey(JobId job, long index, ReadOnlySpan<byte> salt, Span<byte> key)
    {
        var label = "transfer archive 1"u8;
        Span<byte> info = stackalloc byte[label.Length + JobId.Length + sizeof(long)];
        label.CopyTo(info);
        job.Write(info[label.Length..]);
        BinaryPrimitives.WriteInt64BigEndian(info[(label.Length + JobId.Length)..], index);
        HKDF.DeriveKey(HashAlgorithmName.SHA256, _bytes, key, salt, info);
    }

    public void Dispose() => CryptographicOperations.ZeroMemory(_bytes);
}
