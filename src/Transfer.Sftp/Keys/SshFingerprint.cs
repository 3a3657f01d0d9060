using System.Security.Cryptography;

namespace Transfer.Sftp.Keys;

/// <summary>Fingerprints of public keys as OpenSSH shows them.</summary>
internal static class SshFingerprint
{
    public const string Prefix = "SHA256:";

    /// <summary><c>SHA256:</c> and the hash of the blob in base64 without padding.</summary>
    public static string Of(ReadOnlySpan<byte> blob) => Prefix + Convert.ToBase64String(SHA256.HashData(blob)).TrimEnd('=');
}
