using System.Globalization;

namespace Transfer.ServerTests.Servers;

/// <summary>
/// vsftpd: no MLSD, no MFMT; sets times with MDTM; answers commands in order whatever is sent. Its user is virtual, checked by PAM.
/// </summary>
internal sealed class VsftpdServer(ServerVariant variant) : FtpServer(variant)
{
    private readonly string _service = string.Create(CultureInfo.InvariantCulture,
        $"transfer-test-{Environment.ProcessId}-{Guid.NewGuid():N}");

    private string PamFile => "/etc/pam.d/" + _service;

    private string ConfigurationFile => Path.Combine(Folder, "vsftpd.conf");

    private string FtpLog => Path.Combine(Folder, "vsftpd.log");

    protected override IEnumerable<string> LogFiles => [LogFile, FtpLog];

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        File.Delete(PamFile);
    }

    protected override void Configure()
    {
        RemoveLeftovers();
        var passwords = Path.Combine(Folder, "passwords");
        File.WriteAllText(passwords, $"{Credential.UserName}:{PasswordHash()}\n");
        File.WriteAllText(PamFile, $"auth required {ServerFiles.PamPwdfile} pwdfile={passwords}\naccount required pam_permit.so\n");
        var empty = Directory.CreateDirectory(Path.Combine(Folder, "empty")).FullName;
        File.WriteAllText(ConfigurationFile, string.Create(CultureInfo.InvariantCulture, $"""
            listen=YES
            listen_ipv6=NO
            listen_address={Variant.Place.Address}
            listen_port={Port}
            background=NO
            pasv_min_port={FirstPassivePort}
            pasv_max_port={LastPassivePort}
            max_per_ip={Variant.ConnectionsPerAddress ?? 0}
            max_clients=0
            anonymous_enable=NO
            local_enable=YES
            guest_enable=YES
            guest_username={ServerUser.Name}
            virtual_use_local_privs=YES
            pam_service_name={_service}
            session_support=NO
            local_root={Root}
            chroot_local_user=YES
            allow_writeable_chroot=YES
            secure_chroot_dir={empty}
            write_enable=YES
            local_umask=022
            chmod_enable=YES
            mdtm_write=YES
            use_localtime=NO
            force_dot_files=YES
            utf8_filesystem=YES
            seccomp_sandbox=NO
            isolate_network=NO
            isolate=NO
            tcp_wrappers=NO
            syslog_enable=NO
            xferlog_enable=YES
            xferlog_std_format=NO
            log_ftp_protocol={(Variant.LogsCommands ? "YES" : "NO")}
            vsftpd_log_file={FtpLog}
            {TlsSettings()}
            {Variant.VsftpdSettings}

            """));
    }

    private protected override ServerProcess Launch() =>
        ServerProcess.Start(LogFile, ServerFiles.Vsftpd, [ConfigurationFile], OpenSslEnvironment());

    // strict_ssl_read_eof refuses uploads whose TLS stream was not closed properly: a client has to send close_notify.
    private string TlsSettings() => Variant.Tls == ServerTls.Off ? "ssl_enable=NO" : $"""
        ssl_enable=YES
        implicit_ssl={(Variant.Tls == ServerTls.Implicit ? "YES" : "NO")}
        rsa_cert_file={Certificate.Certificate}
        rsa_private_key_file={Certificate.Key}
        ssl_tlsv1=YES
        ssl_sslv2=NO
        ssl_sslv3=NO
        ssl_ciphers=HIGH
        require_ssl_reuse={(Variant.RequiresReuse ? "YES" : "NO")}
        strict_ssl_read_eof=YES
        force_local_logins_ssl=YES
        force_local_data_ssl=YES
        debug_ssl=YES
        """;

    /// <summary>PAM reads services from one folder only. What a killed run left there goes now.</summary>
    private static void RemoveLeftovers()
    {
        foreach (var file in Directory.EnumerateFiles("/etc/pam.d", "transfer-test-*"))
        {
            var owner = Path.GetFileName(file).Split('-')[2];
            if (!Directory.Exists("/proc/" + owner)) File.Delete(file);
        }
    }
}
