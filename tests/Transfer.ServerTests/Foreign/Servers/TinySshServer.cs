using Transfer.ServerTests.Servers;
using Transfer.Sftp;

namespace Transfer.ServerTests.Foreign.Servers;

/// <summary>
/// TinySSH, with OpenSSH's sftp-server: no passwords, one cipher, a program for each connection. In a mount namespace with accounts of its
/// own.
/// </summary>
internal sealed class TinySshServer() : SshServer(ServerVariant.Sftp)
{
    // No folder above that of the keys may be open to others, as /tmp is.
    private const string HomeInside = "/run/home";

    private SshIdentity? _identity;

    public override string Home => Root;

    protected override IReadOnlyList<SshIdentity> Identities => [_identity!];

    private string Keys => Path.Combine(Folder, "keys");

    private string StartFile => Path.Combine(Folder, "start.sh");

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        _identity?.Dispose();
    }

    protected override void Configure()
    {
        _identity = SshIdentity.FromFileAsync(SshKeys.PlainUser("ed25519")).AsTask().GetAwaiter().GetResult();
        Shell.Run(ServerFiles.TinySshMakeKey, Keys);
        File.WriteAllText(Keys + ".pub", Shell.Run(ServerFiles.TinySshPrintKey, Keys));
        Know([Keys]);
        Accounts.Write(Folder, Credential.UserName, PasswordHash(), HomeInside, "/bin/sh");
        var settings = Directory.CreateDirectory(Path.Combine(Folder, "home", ".ssh")).FullName;
        File.WriteAllLines(Path.Combine(settings, "authorized_keys"), SshKeys.Authorized);
        ServerUser.Own(Path.Combine(Folder, "home"));
        File.WriteAllText(StartFile, $"""
            set -e
            mount --bind {Folder}/etc /etc
            mount -t tmpfs -o mode=755 tmpfs /run
            mkdir -p {HomeInside}
            mount --bind {Folder}/home {HomeInside}
            exec "$@"

            """);
    }

    private protected override ServerProcess Launch() => Launcher.Start("perconnection.py", LogFile, LauncherSettings.Of(this) with
    {
        Program = ["unshare", "--mount", "--propagation", "slave", "sh", StartFile,
            ServerFiles.TinySsh, "-v", "-x", "sftp=" + ServerFiles.SftpServer, Keys],
    });
}
