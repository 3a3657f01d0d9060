using Transfer.Sftp.Keys;

namespace Transfer.Sftp;

/// <summary>
/// Has OpenSSH's client configuration read (ssh_config(5)): <c>Host</c>, <c>HostName</c>, <c>HostKeyAlias</c>, <c>User</c>, <c>Port</c>, <c>IdentityFile</c>,
/// <c>IdentitiesOnly</c>, <c>UserKnownHostsFile</c>, <c>ProxyJump</c>, <c>Include</c> and <c>Match all</c>; other keywords are left alone. A host for which it has a
/// <c>ProxyCommand</c> is refused (<see cref="TransferError.Unsupported"/>), not reached by another way.
/// </summary>
public sealed record SshConfigOptions
{
    /// <summary>The configuration of this system.</summary>
    public static string SystemFile => Path.Combine(SshFolders.System, "ssh_config");

    /// <summary>The files; what comes first counts. Absent ones are skipped. Null: <c>.ssh/config</c> in <see cref="HomeDirectory"/> and <see cref="SystemFile"/>.</summary>
    public IReadOnlyList<string>? Files { get; init; }

    /// <summary>What <c>~</c> is, and where the keys and known hosts are that OpenSSH looks for by itself. Null: the user's own.</summary>
    public string? HomeDirectory { get; init; }
}
