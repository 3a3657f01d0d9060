using System.Security.Cryptography;

namespace Transfer.Ftp.Protocol;

/// <summary>Pins of public keys: the SHA-256 of a certificate's SubjectPublicKeyInfo (RFC 7469 section 2.4).</summary>
internal static class KeyPin
{
    // OpenSSH's form of fingerprints, and curl's (--pinnedpubkey).
    private static readonly string[] Prefixes = ["SHA256:", "sha256//"];

    /// <summary>Normalizes a pin as a person wrote it (with one of the prefixes or none, padded or not) to unpadded base64.</summary>
    /// <exception cref="ArgumentException">Not a SHA-256 hash in base64. The message does not repeat the input.</exception>
    public static string Normalize(string pin)
    {
        ArgumentNullException.ThrowIfNull(pin);
        var text = pin.Trim();
        if (Array.Find(Prefixes, prefix => text.StartsWith(prefix, StringComparison.OrdinalIgnoreCase)) is { } prefix)
            text = text[prefix.Length..];
        text = text.TrimEnd('=');
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes + 1];
        if (!Convert.TryFromBase64String(text + "=", hash, out var length) || length != SHA256.HashSizeInBytes)
        {
            throw new ArgumentException("A pin is 'SHA256:' or 'sha256//' and the SHA-256 of a SubjectPublicKeyInfo in base64.",
                nameof(pin));
        }

        return Convert.ToBase64String(hash[..length]).TrimEnd('=');
    }
}
