using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests.Foreign.Servers;

/// <summary>A server of the matrix: its column in docs/servers.md.</summary>
/// <param name="Name">The column's head.</param>
/// <param name="Make">Makes one that is not started.</param>
internal sealed record ForeignServer(string Name, Func<RealServer> Make)
{
    /// <summary>Those that speak FTP.</summary>
    public static IReadOnlyList<ForeignServer> Ftp { get; } =
    [
        new("pyftpdlib", () => new ScriptFtpServer("pyftpd.py", ServerVariant.Plain)),
        new("pyftpdlib, TLS", () => new ScriptFtpServer("pyftpd.py", ServerVariant.Explicit)),
        new("Twisted", () => new ScriptFtpServer("twistedftp.py", ServerVariant.Plain)),
        new("ftp-srv", () => new ScriptFtpServer("ftpsrv.js", WithoutQuotes)),
        new("inetutils", () => new InetutilsServer()),
    ];

    /// <summary>Those that speak SFTP.</summary>
    public static IReadOnlyList<ForeignServer> Sftp { get; } =
    [
        new("asyncssh", () => new ScriptSshServer("asyncsshd.py", isChroot: false)),
        new("paramiko", () => new ScriptSshServer("paramikod.py", isChroot: true)),
        new("Twisted", () => new ScriptSshServer("conch.py", isChroot: false)),
        new("ssh2", () => new ScriptSshServer("ssh2d.js", isChroot: true)),
        new("Dropbear", () => new DropbearServer()),
        new("TinySSH", () => new TinySshServer()),
        new("OpenSSH, internal-sftp forced", () => OpenSsh("ForceCommand internal-sftp")),
        new("OpenSSH, chroot", () => new OpenSshServer(ServerVariant.SftpChroot)),
        new("OpenSSH, MaxSessions 1", () => OpenSsh("MaxSessions 1")),
        new("OpenSSH, MaxStartups 1", () => OpenSsh("MaxStartups 1")),
    ];

    /// <summary>ftp-srv takes quotation marks from what it is sent, from passwords too.</summary>
    private static ServerVariant WithoutQuotes => ServerVariant.Plain with { Password = Guid.NewGuid().ToString() };

    /// <summary>Whether it speaks SFTP.</summary>
    public bool IsSftp => Sftp.Contains(this);

    /// <summary>Of all columns the only one of this name.</summary>
    public override string ToString() => $"{(IsSftp ? "SFTP" : "FTP")} {Name}";

    private static OpenSshServer OpenSsh(string settings) => new(ServerVariant.Sftp with { SshSettings = settings });
}
