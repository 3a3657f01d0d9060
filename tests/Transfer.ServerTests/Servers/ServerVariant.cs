namespace Transfer.ServerTests.Servers;

/// <summary>One way to configure a server.</summary>
public sealed record ServerVariant
{
    public static ServerVariant Plain { get; } = new() { Name = "Plain" };

    /// <summary>TLS 1.3 allowed, data connections need not be resumed.</summary>
    public static ServerVariant Explicit { get; } = new() { Name = "Explicit", Tls = ServerTls.Explicit };

    public static ServerVariant ExplicitTls12 { get; } = new() { Name = "ExplicitTls12", Tls = ServerTls.Explicit, OnlyTls12 = true };

    /// <summary>
    /// TLS 1.3 allowed, and every data connection must resume the control connection's session: vsftpd's and ProFTPD's default.
    /// </summary>
    public static ServerVariant ExplicitReuse { get; } = new() { Name = "ExplicitReuse", Tls = ServerTls.Explicit, RequiresReuse = true };

    public static ServerVariant Implicit { get; } = new() { Name = "Implicit", Tls = ServerTls.Implicit };

    public static ServerVariant ImplicitReuse { get; } = new() { Name = "ImplicitReuse", Tls = ServerTls.Implicit, RequiresReuse = true };

    /// <summary>Listings show links as what they lead to: ProFTPD's ShowSymlinks off, Pure-FTPd's BrokenClientsCompatibility.</summary>
    public static ServerVariant FollowingLinks { get; } = new() { Name = "FollowingLinks", FollowsLinks = true };

    /// <summary>SSH. OpenSSH: the sftp-server program, with the whole file system before it.</summary>
    public static ServerVariant Sftp { get; } = new() { Name = "Sftp" };

    public static ServerVariant SftpChroot { get; } = new() { Name = "SftpChroot", Chroot = true };

    public required string Name { get; init; }

    public ServerTls Tls { get; init; }

    public bool OnlyTls12 { get; init; }

    public bool RequiresReuse { get; init; }

    /// <summary>How many connections one address may have; null: more than any test opens.</summary>
    public int? ConnectionsPerAddress { get; init; }

    public ServerCertificate Certificate { get; init; }

    /// <summary>
    /// Pure-FTPd: most entries of a listing and folders of a recursion, as <c>-L</c> takes them; null: more than any test has.
    /// </summary>
    public string? ListingLimit { get; init; }

    /// <summary>OpenSSH: the user is shut in, and sshd itself serves the files (internal-sftp).</summary>
    public bool Chroot { get; init; }

    /// <summary>OpenSSH: what is taken from the permissions of new files.</summary>
    public string Umask { get; init; } = "022";

    /// <summary>OpenSSH: lines for sshd_config, which count before the usual ones.</summary>
    public string SshSettings { get; init; } = string.Empty;

    /// <summary>OpenSSH: the user's shell; null: the system's sh.</summary>
    public string? LogInShell { get; init; }

    /// <summary>vsftpd: lines for vsftpd.conf, which count instead of the usual ones.</summary>
    public string VsftpdSettings { get; init; } = string.Empty;

    /// <summary>ProFTPD and Pure-FTPd: listings show links as what they lead to.</summary>
    public bool FollowsLinks { get; init; }

    /// <summary>Whether an FTP server logs each command, which costs its processor more than many of the commands do. None does as it is
    /// installed.</summary>
    public bool LogsCommands { get; init; } = true;

    /// <summary>Where it runs.</summary>
    public ServerPlace Place { get; init; } = ServerPlace.Here;

    /// <summary>The user's password; null: one that is drawn, with what quoting could break.</summary>
    public string? Password { get; init; }

    /// <summary>Whether the password is hashed as Debian hashes those of its users, which takes the server far longer to check than the
    /// rest of a log-in.</summary>
    public bool IsHashedSlowly { get; init; }

    public override string ToString() => Name;
}
