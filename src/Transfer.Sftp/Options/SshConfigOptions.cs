using Transfer.Sftp.Keys;

namespace Transfer.Sftp;

/// <summary>
/// Reads OpenSSH's client configuration (ssh_config(5)). Every keyword is obeyed, refused, or without effect, as docs/ssh-config.md lists:
/// a setting that makes something stricter is obeyed, or the host is refused (<see cref="TransferError.Unsupported"/>;
/// <see cref="TransferError.Protocol"/> for an invalid value), above all one with a <c>ProxyCommand</c>. A file that belongs to another
/// user than this one or root, or that other users may write, is refused (<see cref="TransferError.Denied"/>).
/// </summary>
public sealed record SshConfigOptions
{
    /// <summary>The configuration of this system.</summary>
    public static string SystemFile => Path.Combine(SshFolders.System, "ssh_config");

    /// <summary>
    /// The files, by precedence. Absent ones are skipped. Null: <c>.ssh/config</c> in <see cref="HomeDirectory"/> and
    /// <see cref="SystemFile"/>.
    /// </summary>
    public IReadOnlyList<string>? Files { get; init; }

    /// <summary>The folder that <c>~</c> stands for and that holds OpenSSH's default keys and known hosts. Null: the user's own.</summary>
    public string? HomeDirectory { get; init; }
}
