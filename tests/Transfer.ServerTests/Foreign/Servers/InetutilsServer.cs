using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests.Foreign.Servers;

/// <summary>The FTP server of GNU inetutils: a program for each connection, in a mount namespace with accounts of its own.</summary>
internal sealed class InetutilsServer() : FtpServer(ServerVariant.Plain)
{
    /// <summary>The whole file system is before the user.</summary>
    public override string Home => Root;

    private string StartFile => Path.Combine(Folder, "start.sh");

    protected override void Configure()
    {
        var etc = Accounts.Write(Folder, Credential.UserName, PasswordHash(), Root, "/bin/sh");
        var services = Directory.CreateDirectory(Path.Combine(etc, "pam.d")).FullName;
        File.WriteAllText(Path.Combine(services, "ftp"), "auth required pam_unix.so\naccount required pam_permit.so\n");
        File.WriteAllText(StartFile, $"""
            set -e
            mount --bind {Folder}/etc /etc
            exec {ServerFiles.InetutilsFtpd} -l -l -u 022

            """);
    }

    private protected override ServerProcess Launch() => Launcher.Start("perconnection.py", LogFile,
        LauncherSettings.Of(this) with { Program = ["unshare", "--mount", "--propagation", "slave", "sh", StartFile] });
}
