using Transfer.Sftp.Keys;

namespace Transfer.Sftp;

/// <summary>
/// Has OpenSSH's client configuration read (ssh_config(5)). Every keyword is obeyed, refused, or without effect here, as docs/ssh-config.md lists: what makes something
/// stricter is obeyed, or the host is refused (<see cref="TransferError.Unsupported"/>; <see cref="TransferError.Protocol"/> for a value that is not understood), above all
/// where it has a <c>ProxyCommand</c>. A file that belongs to somebody other than the user and root, or that others may write, is refused (<see cref="TransferError.Denied"/>).
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
