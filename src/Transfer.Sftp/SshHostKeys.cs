using Transfer.Diagnostics;
using Transfer.Sftp.Routes;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp;

/// <summary>Reads the keys of hosts, as <c>ssh-keyscan</c> does.</summary>
public static class SshHostKeys
{
    /// <summary>
    /// Reads a host's keys without logging in to the host: one for each type of <see cref="SshAlgorithms.HostKeys"/> that the host has.
    /// Each type takes one connection, all at once, which ends after the key exchange (RFC 4253 section 7).
    /// </summary>
    /// <remarks>
    /// Nothing becomes trusted: <c>known_hosts</c> files and pins are not read, and none is written. An attacker in between can show other
    /// keys, so compare the fingerprints with those of the host's administrator. Hosts of <see cref="SftpOptions.Jump"/> are logged in to,
    /// and their keys are checked. Keys that no client here would take (RSA below 2,048 bits) and certificates are left out.
    /// </remarks>
    /// <param name="host">
    /// The host's name or address, IPv6 without brackets; an alias where <see cref="SftpOptions.Config"/> is read.
    /// </param>
    /// <param name="port">The port; null: the configuration's, else 22.</param>
    /// <param name="options">
    /// The way to the host: proxy, jump hosts, algorithms, log. <see cref="TransferClientOptions.LogInTimeout"/> bounds each connection.
    /// Null: the defaults.
    /// </param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <returns>The keys, at least one, in the order of their types: Ed25519, ECDSA, RSA.</returns>
    /// <exception cref="TransferConnectionException">
    /// The host is not reached, does not speak SSH, or does not answer in time; <see cref="TransferError.Unsupported"/>: the host has no
    /// key of a supported type.
    /// </exception>
    /// <exception cref="ArgumentException">The host's name or the port is invalid, or the options contradict each other.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> fired.</exception>
    public static async Task<IReadOnlyList<SshHostKey>> ReadAsync(
        string host, int? port = null, SftpOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(host);
        // The name becomes a word of a line of known_hosts.
        if (Uri.CheckHostName(host) == UriHostNameType.Unknown)
            throw new ArgumentException("The name is none that a host can have.", nameof(host));
        options ??= new SftpOptions();
        var logger = PrintableLogger.Create(options.LoggerFactory, "Transfer.Sftp");
        using var route = new SshRoute(new SshJumpHost(host) { Port = port }, options, new SegmentPool(), static _ => { }, logger);
        return await route.ReadHostKeysAsync(cancellationToken).ConfigureAwait(false);
    }
}
