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
}
