using System.Security.Cryptography;

namespace Transfer.Batch.Sealing;

/// <summary>A 32-byte key that both sides have.</summary>
internal sealed class SharedKey : IKeyWrapper, IKeyUnwrapper, IDisposable
{
    public const int Length = 32;

    private const int SaltLength = 16;

    private readonly byte[] _key = GC.AllocateUninitializedArray<byte>(Length, pinned: true);

    public SharedKey(ReadOnlySpan<byte> key)
    {
        if (key.Length != Length) throw new ArgumentException($"A shared key has {Length} bytes.", nameof(key));
        key.CopyTo(_key);
    }

    public KeyWrap Wrap(JobSecret secret, JobId job) =>
        KeyWrap.Seal(KeyWrapKind.SharedKey, RandomNumberGenerator.GetBytes(SaltLength), _key, secret, job);

    public JobSecret? Unwrap(KeyWrap wrap, JobId job) =>
        wrap.Kind == KeyWrapKind.SharedKey && wrap.Body.Length == SaltLength + KeyWrap.SealedLength
        ? wrap.Open(SaltLength, _key, job) : null;

    public void Dispose() => CryptographicOperations.ZeroMemory(_key);
}
