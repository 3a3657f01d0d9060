using System.Security.Cryptography;

namespace Transfer.Batch.Sealing;

/// <summary>A job's secret, wrapped, as an archive's header holds it.</summary>
/// <param name="Kind">The kind of key that opens the wrap.</param>
/// <param name="Body">The kind's own parameters, then the secret under AES-256-GCM, then the tag.</param>
internal sealed record KeyWrap(KeyWrapKind Kind, ReadOnlyMemory<byte> Body)
{
    /// <summary>The bytes of the wrapped secret and its tag, at the end of a body.</summary>
    public const int SealedLength = JobSecret.Length + TagLength;

    private const int TagLength = 16;
    private const int KeyLength = 32;

    /// <summary>Wraps under a key that is used once only: the key comes from fresh randomness in the parameters, so the nonce may be
    /// zero.</summary>
    public static KeyWrap Seal(KeyWrapKind kind, ReadOnlySpan<byte> parameters, ReadOnlySpan<byte> input, JobSecret secret, JobId job)
    {
        var body = new byte[parameters.Length + SealedLength];
        parameters.CopyTo(body);
        using var aes = Cipher(kind, parameters, input, job);
        var at = body.AsSpan(parameters.Length);
        aes.Encrypt(stackalloc byte[12], secret.Bytes, at[..JobSecret.Length], at[JobSecret.Length..]);
        return new KeyWrap(kind, body);
    }

    /// <summary>The secret; null: the key is another.</summary>
    public JobSecret? Open(int parameters, ReadOnlySpan<byte> input, JobId job)
    {
        using var aes = Cipher(Kind, Body.Span[..parameters], input, job);
        Span<byte> secret = stackalloc byte[JobSecret.Length];
        var at = Body.Span[parameters..];
        try
        {
            aes.Decrypt(stackalloc byte[12], at[..JobSecret.Length], at[JobSecret.Length..], secret);
            return new JobSecret(secret);
        }
        catch (AuthenticationTagMismatchException)
        {
            return null;
        }
        finally
        {
            CryptographicOperations.ZeroMemory(secret);
        }
    }

    // The parameters hold the randomness; job and kind bind a wrap to its place.
    private static AesGcm Cipher(KeyWrapKind kind, ReadOnlySpan<byte> parameters, ReadOnlySpan<byte> input, JobId job)
    {
        var label = "transfer wrap 1"u8;
        Span<byte> info = stackalloc byte[label.Length + 1 + JobId.Length];
        label.CopyTo(info);
        info[label.Length] = (byte)kind;
        job.Write(info[(label.Length + 1)..]);
        Span<byte> key = stackalloc byte[KeyLength];
        HKDF.DeriveKey(HashAlgorithmName.SHA256, input, key, parameters, info);
        var aes = new AesGcm(key, TagLength);
        CryptographicOperations.ZeroMemory(key);
        return aes;
    }
}
