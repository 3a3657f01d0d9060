using Transfer.Sftp.Keys;
using Transfer.Sftp.Keys.Hosts;

namespace Transfer.Sftp;

/// <summary>
/// A public key that a host has shown, with the proof that the host holds the private one. This does not prove that the host is the
/// intended one.
/// </summary>
public sealed record SshHostKey
{
    /// <summary>
    /// The host, as in <c>known_hosts</c>: <c>host</c>, or <c>[host]:port</c> where the port is not 22 (sshd(8), SSH_KNOWN_HOSTS FILE
    /// FORMAT).
    /// </summary>
    public required string Host { get; init; }

    /// <summary>
    /// The key's type, for example <c>ssh-ed25519</c> (RFC 8709), <c>ecdsa-sha2-nistp256</c> (RFC 5656) or <c>ssh-rsa</c> (RFC 4253
    /// section 6.6).
    /// </summary>
    public required string Type { get; init; }

    /// <summary>The key's length in bits, as in <c>ssh-keygen -l</c>.</summary>
    public required int Bits { get; init; }

    /// <summary>
    /// The fingerprint for <see cref="SshHostKeyOptions.Pins"/>: <c>SHA256:</c> and the hash of the key's blob in base64 without padding.
    /// </summary>
    public required string Fingerprint { get; init; }

    /// <summary>The type and the key's blob in base64, as in <c>.pub</c> files.</summary>
    public required string PublicKey { get; init; }

    /// <summary>The line for <c>known_hosts</c>, as in <c>ssh-keyscan</c>.</summary>
    public string KnownHostsLine => $"{Host} {PublicKey}";

    internal static SshHostKey Of(string host, int port, SshPublicKey key) => new()
    {
        Host = HostName.WithPort(host, port),
        Type = key.Type,
        Bits = key.Bits,
        Fingerprint = key.Fingerprint,
        PublicKey = $"{key.Type} {Convert.ToBase64String(key.Blob.Span)}",
    };
}
