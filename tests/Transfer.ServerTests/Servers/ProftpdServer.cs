using System.Globalization;

namespace Transfer.ServerTests.Servers;

/// <summary>ProFTPD: MLSD, MFMT, SITE UTIME; by default it wants data connections to resume the control connection's TLS session.</summary>
internal sealed class ProftpdServer(ServerVariant variant) : FtpServer(variant)
{
    private string ConfigurationFile => Path.Combine(Folder, "proftpd.conf");

    private string CommandLog => Path.Combine(Folder, "commands.log");

    private string TlsLog => Path.Combine(Folder, "tls.log");

    protected override IEnumerable<string> LogFiles => [LogFile, CommandLog, TlsLog];

    protected override void Configure()
    {
        var passwords = Path.Combine(Folder, "passwords");
        File.WriteAllText(passwords, $"{Credential.UserName}:{PasswordHash()}:{ServerUser.Uid}:{ServerUser.Gid}::{Root}:/bin/false\n");
        // It refuses a password file that others can read.
        File.SetUnixFileMode(passwords, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        var limit = Variant.ConnectionsPerAddress?.ToString(CultureInfo.InvariantCulture) ?? "none";
        File.WriteAllText(ConfigurationFile, $"""
            ModulePath {ServerFiles.ProftpdModules}
            LoadModule mod_tls.c
            LoadModule mod_site_misc.c
            LoadModule mod_deflate.c
            ServerType standalone
            ServerName "Transfer test"
            DefaultAddress {Variant.Place.Address}
            SocketBindTight on
            Port {Port}
            PassivePorts {FirstPassivePort} {LastPassivePort}
            UseIPv6 off
            UseReverseDNS off
            User {ServerUser.Name}
            Group {ServerUser.Name}
            MaxInstances none
            MaxClients none
            MaxClientsPerHost {limit}
            AuthPAM off
            AuthOrder mod_auth_file.c
            AuthUserFile {passwords}
            RequireValidShell off
            DelayEngine off
            WtmpLog off
            UseLastlog off
            DefaultRoot {Root}
            AllowOverwrite on
            ShowSymlinks {(Variant.FollowsLinks ? "off" : "on")}
            AllowStoreRestart on
            AllowRetrieveRestart on
            ListOptions "-a"
            TimesGMT on
            Umask 022
            DeflateEngine on
            ControlsEngine off
            PidFile {Folder}/proftpd.pid
            ScoreboardFile {Folder}/scoreboard
            SystemLog {LogFile}
            {(Variant.LogsCommands ? $"LogFormat commands \"%t [%P] %r -> %s\"\nExtendedLog {CommandLog} ALL commands" : string.Empty)}
            TransferLog none
            {TlsSettings()}

            """);
    }

    private protected override ServerProcess Launch() => ServerProcess.Start(LogFile, ServerFiles.Proftpd, ["-n", "-c", ConfigurationFile]);

    private string TlsSettings()
    {
        if (Variant.Tls == ServerTls.Off) return "TLSEngine off";
        var options = new List<string>();
        if (!Variant.RequiresReuse) options.Add("NoSessionReuseRequired");
        if (Variant.Tls == ServerTls.Implicit) options.Add("UseImplicitSSL");
        return $"""
            TLSEngine on
            TLSRequired on
            TLSVerifyClient off
            TLSProtocol {(Variant.OnlyTls12 ? "TLSv1.2" : "TLSv1.2 TLSv1.3")}
            TLSRSACertificateFile {Certificate.Certificate}
            TLSRSACertificateKeyFile {Certificate.Key}
            TLSLog {TlsLog}
            {(options.Count > 0 ? "TLSOptions " + string.Join(' ', options) : string.Empty)}
            """;
    }
}
