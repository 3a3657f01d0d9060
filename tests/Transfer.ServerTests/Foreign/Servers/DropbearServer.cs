using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests.Foreign.Servers;

/// <summary>Dropbear, with OpenSSH's sftp-server, in a mount namespace with accounts of its own.</summary>
internal sealed class DropbearServer() : SshServer(ServerVariant.Sftp)
{
    public override string Home => Root;

    private string Key => Path.Combine(Folder, "key");

    private string StartFile => Path.Combine(Folder, "start.sh");

    protected override void Configure()
    {
        Know([SshKeys.Host("ed25519")]);
        Shell.Run(ServerFiles.DropbearConvert, "openssh", "dropbear", SshKeys.Host("ed25519"), Key);
        Accounts.Write(Folder, Credential.UserName, PasswordHash(), Root, "/bin/sh");
        // The place of sftp-server is built in; other commands go to the shell as ever.
        var command = Path.Combine(Folder, "command.sh");
        File.WriteAllText(command, $"""
            #!/bin/sh
            case "$SSH_ORIGINAL_COMMAND" in
              '' | */sftp-server) exec {ServerFiles.SftpServer} ;;
              *) exec /bin/sh -c "$SSH_ORIGINAL_COMMAND" ;;
            esac

            """);
        Shell.Run("chmod", "755", command);
        File.WriteAllText(StartFile, $"""
            set -e
            mount --bind {Folder}/etc /etc
            exec {ServerFiles.Dropbear} -F -E -w -P {Folder}/pid -p {Variant.Place.Address}:{Port} -r {Key} -c {command}

            """);
    }

    private protected override ServerProcess Launch() =>
        ServerProcess.Start(LogFile, "unshare", ["--mount", "--propagation", "slave", "sh", StartFile]);
}
