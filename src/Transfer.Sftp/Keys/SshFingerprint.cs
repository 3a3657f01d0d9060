using System.Security.Cryptography;

namespace Transfer.Sftp.Keys;

/// <summary>Fingerprints of public keys in OpenSSH's form.</summary>
internal static class SshFingerprint
{
    public const string Prefix = "SHA256:";

    /// <summary><c>SHA256:</c> and the hash of the blob in base64 without padding.</summary>
    public static string Of(ReadOnlySpan<byte> blob) => Prefix + Convert.ToBase64String(SHA256.HashData(blob)).TrimEnd('=');

    /// <summary>Converts a person's notation of a fingerprint to the form of <see cref="Of"/>: padding is dropped.</summary>
    /// <exception cref="ArgumentException">The text is not a SHA-256 fingerprint.</exception>
    public static string Normalize(string fingerprint)
    {
        var hash = new byte[SHA256.HashSizeInBytes + 1];
        var base64 = fingerprint.StartsWith(Prefix, StringComparison.Ordinal) ? fingerprint[Prefix.Length..].TrimEnd('=') + "="
            : string.Empty;
        if (!Convert.TryFromBase64String(base64, hash, out var length) || length != SHA256.HashSizeInBytes)
            throw new ArgumentException("A pin is a fingerprint of the form SHA256:base64, of 32 bytes.", nameof(fingerprint));
        return Prefix + base64[..^1];
    }
}
