using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Keys.Hosts;

namespace Transfer.Sftp;

/// <summary>
/// The trusted host keys. By default those of the <c>known_hosts</c> files, as with OpenSSH's <c>StrictHostKeyChecking yes</c>: an
/// unknown, changed or revoked key ends the connection with <see cref="TransferError.HostKey"/>. No option trusts every key.
/// </summary>
public sealed record SshHostKeyOptions
{
    /// <summary>
    /// The files of known hosts, in OpenSSH's format; <see cref="AcceptNew"/> writes the first. Absent files are skipped. Null:
    /// <c>~/.ssh/known_hosts</c>, <c>~/.ssh/known_hosts2</c> and the system's.
    /// </summary>
    public IReadOnlyList<string>? KnownHostsFiles { get; init; }

    /// <summary>
    /// Fingerprints of the host's keys, <c>SHA256:</c> and base64 as in <c>ssh-keygen -l</c>. With pins, only these keys are trusted; the
    /// files then serve only to refuse revoked keys.
    /// </summary>
    public IReadOnlyList<string> Pins { get; init; } = [];

    /// <summary>
    /// Trusts the key of a host without a known one and writes the key to the first file, as OpenSSH's <c>accept-new</c>. A changed key is
    /// still refused.
    /// </summary>
    public bool AcceptNew { get; init; }

    /// <summary>
    /// Decides about the key of a host without a known one, where <see cref="AcceptNew"/> is off: true trusts the key, and writes the key
    /// to the first file. Called once for each such key, also where several connections wait. Null: such keys are refused.
    /// </summary>
    public Func<SshHostKey, CancellationToken, ValueTask<bool>>? Decide { get; init; }

    /// <summary>Checks a host key that another SSH client has received, by these options: returns when the key is trusted.</summary>
    /// <param name="host">The host's name or address, as in <c>known_hosts</c>.</param>
    /// <param name="port">The host's port.</param>
    /// <param name="key">
    /// The key's blob (RFC 4253 section 6.6), or that of an OpenSSH certificate. The SSH client must check that the host has the private
    /// key.
    /// </param>
    /// <param name="logger">Receives the keys that <see cref="AcceptNew"/> takes; null: no log.</param>
    /// <param name="cancellationToken">Cancels the writing of a new key.</param>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.HostKey"/>: unknown, changed (both fingerprints in the message) or revoked;
    /// <see cref="TransferError.Protocol"/> or <see cref="TransferError.Unsupported"/>: no supported key.
    /// </exception>
    /// <exception cref="ArgumentException">A pin is no fingerprint.</exception>
    public async ValueTask VerifyAsync(string host, int port, ReadOnlyMemory<byte> key, ILogger? logger = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(host);
        await Trust(logger).VerifyAsync(host, port, SshPublicKeys.Parse(key), cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Returns the host key algorithms (RFC 8332 for RSA) that a host can be recognised by, which the SSH client should prefer: a key of
    /// another kind would be refused. Empty: any; the host is new, or the key is pinned.
    /// </summary>
    /// <param name="host">The host's name or address, as in <c>known_hosts</c>.</param>
    /// <param name="port">The host's port.</param>
    /// <exception cref="ArgumentException">A pin is no fingerprint.</exception>
    public IReadOnlyList<string> GetKnownAlgorithms(string host, int port)
    {
        ArgumentException.ThrowIfNullOrEmpty(host);
        return [.. Trust(null).KnownTypes(host, port).SelectMany(KeyAlgorithms.OfType)];
    }

    private HostTrust Trust(ILogger? logger) => new(this, TimeProvider.System, logger ?? NullLogger.Instance);
}
