using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Transfer.Batch.Sealing;

/// <summary>32 random bytes that every key of a job is derived from. They leave this machine wrapped only (<see cref="KeyWrap"/>).</summary>
internal sealed class JobSecret : IDisposable
{
    public const int Length = 32;

    /// <summary>What <see cref="DeriveArchiveKey"/> gives: the key, then the nonces' first seven bytes.</summary>
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

    /// <summary>What is wrapped.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes;

    /// <summary>The key material of one archive, by HKDF-SHA256 (RFC 5869). The salt is fresh for every writing of an archive, and so is the key.</summary>
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
