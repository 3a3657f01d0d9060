using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Keys.Hosts;

namespace Transfer.Sftp;

/// <summary>
/// Which host keys are trusted. By default those of the <c>known_hosts</c> files, as OpenSSH's <c>StrictHostKeyChecking yes</c>: an unknown, changed or
/// revoked key ends the connection with <see cref="TransferError.HostKey"/>. There is no way to trust any key.
/// </summary>
public sealed record SshHostKeyOptions
{
    /// <summary>
    /// The files of known hosts, in OpenSSH's format; the first is the one that <see cref="AcceptNew"/> writes. Absent files are skipped. Null: <c>~/.ssh/known_hosts</c>,
    /// <c>~/.ssh/known_hosts2</c> and the system's.
    /// </summary>
    public IReadOnlyList<string>? KnownHostsFiles { get; init; }

    /// <summary>
    /// Fingerprints of the host's keys, <c>SHA256:</c> and base64 as <c>ssh-keygen -l</c> shows them. When there is any, a key is trusted only if it is among them;
    /// the files then serve only to refuse revoked keys.
    /// </summary>
    public IReadOnlyList<string> Pins { get; init; } = [];

    /// <summary>Trusts the key of a host that has none yet and writes it to the first file, as OpenSSH's <c>accept-new</c>. A changed key is still refused.</summary>
    public bool AcceptNew { get; init; }

    /// <summary>Decides on a host key that another SSH client was shown, by these options: returns when the key is trusted.</summary>
    /// <param name="host">The host's name or address, as <c>known_hosts</c> has it.</param>
    /// <param name="port">Its port.</param>
    /// <param name="key">
    /// The key's blob (RFC 4253 section 6.6), or that of an OpenSSH certificate. That the host has the private key is the SSH client's to
    /// check.
    /// </param>
    /// <param name="logger">Receives the keys that <see cref="AcceptNew"/> takes; null: no log.</param>
    /// <param name="cancellationToken">Cancels the writing of a new key.</param>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.HostKey"/>: unknown, changed (both fingerprints in the message) or revoked;
    /// <see cref="TransferError.Protocol"/> or <see cref="TransferError.Unsupported"/>: no key that is understood.
    /// </exception>
    /// <exception cref="ArgumentException">A pin is no fingerprint.</exception>
    public async ValueTask VerifyAsync(string host, int port, ReadOnlyMemory<byte> key, ILogger? logger = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(host);
        await Trust(logger).VerifyAsync(host, port, SshPublicKeys.Parse(key), cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// The host key algorithms (RFC 8332 for RSA) that a host can be recognised by, for the SSH client to ask for first: a key of another
    /// kind would be refused. Empty: any; the host is new, or its key is pinned.
    /// </summary>
    /// <param name="host">The host's name or address, as <c>known_hosts</c> has it.</param>
    /// <param name="port">Its port.</param>
    /// <exception cref="ArgumentException">A pin is no fingerprint.</exception>
    public IReadOnlyList<string> GetKnownAlgorithms(string host, int port)
    {
        ArgumentException.ThrowIfNullOrEmpty(host);
        return [.. Trust(null).KnownTypes(host, port).SelectMany(KeyAlgorithms.OfType)];
    }

    private HostTrust Trust(ILogger? logger) => new(this, TimeProvider.System, logger ?? NullLogger.Instance);
}
