namespace Transfer.ServerTests.Servers;

/// <summary>
/// ProFTPD with mod_sftp: another SSH and another SFTP than OpenSSH's. The user is shut in, checked against a password file.
/// </summary>
internal sealed class ProftpdSftpServer(ServerVariant variant) : SshServer(variant)
{
    private string ConfigurationFile => Path.Combine(Folder, "proftpd.conf");

    private string SftpLog => Path.Combine(Folder, "sftp.log");

    protected override IEnumerable<string> LogFiles => [LogFile, SftpLog];

    protected override void Configure()
    {
        Know(SshKeys.Hosts);
        var passwords = Path.Combine(Folder, "passwords");
        File.WriteAllText(passwords, $"{Credential.UserName}:{PasswordHash()}:{ServerUser.Uid}:{ServerUser.Gid}::{Root}:/bin/false\n");
        // It refuses a password file that others can read.
        File.SetUnixFileMode(passwords, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        File.WriteAllText(ConfigurationFile, $"""
            ModulePath {ServerFiles.ProftpdModules}
            LoadModule mod_sftp.c
            ServerType standalone
            ServerName "Transfer test"
            DefaultAddress {Variant.Place.Address}
            SocketBindTight on
            Port {Port}
            UseIPv6 off
            UseReverseDNS off
            User {ServerUser.Name}
            Group {ServerUser.Name}
            MaxInstances none
            AuthPAM off
            AuthOrder mod_auth_file.c
            AuthUserFile {passwords}
            RequireValidShell off
            DelayEngine off
            WtmpLog off
            UseLastlog off
            DefaultRoot {Root}
            AllowOverwrite on
            AllowStoreRestart on
            Umask 022
            ControlsEngine off
            PidFile {Folder}/proftpd.pid
            ScoreboardFile {Folder}/scoreboard
            SystemLog {LogFile}
            TransferLog none
            SFTPEngine on
            {string.Join('\n', SshKeys.Hosts.Select(key => "SFTPHostKey " + key))}
            SFTPAuthMethods password
            SFTPLog {SftpLog}

            """);
    }

    private protected override ServerProcess Launch() => ServerProcess.Start(LogFile, ServerFiles.Proftpd, ["-n", "-c", ConfigurationFile]);
}
