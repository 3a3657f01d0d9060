using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;

namespace Transfer.Batch;

/// <summary>
/// The proof of a sender to a receiver, and of the receiver to the sender: the SHA-256 of the receiver's public key and a random secret of
/// 256 bits. Every holder of the token can send; the token never appears in logs.
/// </summary>
public sealed class BatchToken
{
    internal const int FingerprintLength = SHA256.HashSizeInBytes;
    internal const int SecretLength = 32;

    private const byte Version = 1;
    private const int Length = 1 + FingerprintLength + SecretLength;

    private readonly byte[] _bytes;

    private BatchToken(byte[] bytes) => _bytes = bytes;

    /// <summary>SHA-256 of the receiver's public key (SubjectPublicKeyInfo, RFC 5280 section 4.1).</summary>
    internal ReadOnlySpan<byte> Fingerprint => _bytes.AsSpan(1, FingerprintLength);

    /// <summary>The secret that both sides know.</summary>
    internal ReadOnlySpan<byte> Secret => _bytes.AsSpan(1 + FingerprintLength);

    /// <summary>Parses a token as written by <see cref="ToText"/>; white space at both ends does not matter.</summary>
    /// <exception cref="FormatException">The text is no token. The message does not repeat the text.</exception>
    public static BatchToken Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var bytes = new byte[Length];
        var trimmed = text.AsSpan().Trim();
        // The decoder would skip white space within; such a token was mangled on its way.
        if (trimmed.Length != Base64Url.GetEncodedLength(Length) || trimmed.ContainsAny(" \t\r\n") || !Base64Url.TryDecodeFromChars(trimmed,
            bytes, out var written) || written != Length)
        {
            throw new FormatException("This is no token: it may have been cut off or changed on its way.");
        }

        return bytes[0] == Version
            ? new BatchToken(bytes) : throw new FormatException($"The token is of version {bytes[0]}; {Version} is known here.");
    }

    /// <summary>Returns the token as text: base64url (RFC 4648 section 5) without padding, as secret as a password.</summary>
    public string ToText() => Base64Url.EncodeToString(_bytes);

    /// <summary>Returns a constant text, so that logs never hold the secret.</summary>
    public override string ToString() => "(token)";

    internal static BatchToken Create(ReadOnlySpan<byte> fingerprint, ReadOnlySpan<byte> secret) =>
        new([Version, .. fingerprint, .. secret]);

    /// <summary>A key for one purpose, by HKDF-SHA256 (RFC 5869).</summary>
    internal byte[] DeriveKey(string purpose)
    {
        var key = new byte[32];
        HKDF.DeriveKey(HashAlgorithmName.SHA256, Secret, key, salt: default, info: Encoding.ASCII.GetBytes(purpose));
        return key;
    }
}
