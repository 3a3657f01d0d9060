namespace Transfer.ServerTests.Servers;

/// <summary>
/// OpenSSH's sshd. It knows system users only, so it runs in a mount namespace with an /etc of its own: nothing of this machine is changed,
/// and its user has the ids of <see cref="ServerUser"/>.
/// </summary>
internal class OpenSshServer(ServerVariant variant) : SshServer(variant)
{
    // sshd wants the folders above a chroot to be root's, which /tmp's are not: there the served folder is shown at another place.
    private const string ChrootFolder = "/run/chroot";

    /// <summary>This machine's name there, and nowhere else: who connects to it connects from there.</summary>
    public const string NameInside = "only-known-inside";

    public override string Home => Variant.Chroot ? "/files" : Root;

    private string ConfigurationFile => Path.Combine(Folder, "sshd_config");

    private string StartFile => Path.Combine(Folder, "start.sh");

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        Shell.Run("umount", "--lazy", Root);
    }

    protected override void Configure()
    {
        // A mount of its own that is shared: what a test mounts below it shows in the namespace too.
        Shell.Run("mount", "--bind", Root, Root);
        Shell.Run("mount", "--make-shared", Root);

        Know(SshKeys.Hosts);
        File.WriteAllLines(Path.Combine(Folder, "authorized_keys"), SshKeys.Authorized);
        var etc = Accounts.Write(Folder, Credential.UserName, PasswordHash(), Root, Variant.LogInShell ?? "/bin/sh");
        File.WriteAllText(Path.Combine(etc, "hosts"), $"127.0.0.1 localhost {NameInside}\n");
        File.WriteAllText(ConfigurationFile, $"""
            {Variant.SshSettings}
            Port {Port}
            ListenAddress {Variant.Place.Address}
            {string.Join('\n', SshKeys.Hosts.Select(key => $"HostKey {key}\nHostCertificate {key}-cert.pub"))}
            PidFile none
            LogLevel VERBOSE
            UsePAM no
            UseDNS no
            StrictModes no
            PermitRootLogin no
            PasswordAuthentication yes
            KbdInteractiveAuthentication no
            AuthorizedKeysFile {Folder}/authorized_keys
            TrustedUserCAKeys {SshKeys.UserAuthority}.pub
            MaxStartups 100
            PrintMotd no
            {NewerSettings()}
            {Subsystem()}

            """);
        File.WriteAllText(StartFile, $"""
            set -e
            mount --bind {Folder}/etc /etc
            mount -t tmpfs -o mode=755 tmpfs /run
            mkdir -p /run/sshd {ChrootFolder}/files
            mount --bind {Root} {ChrootFolder}/files
            exec {ServerFiles.Sshd} -D -e -f {ConfigurationFile}

            """);
    }

    private protected override ServerProcess Launch() =>
        ServerProcess.Start(LogFile, "unshare", ["--mount", "--propagation", "slave", "sh", StartFile]);

    private string Subsystem() => Variant.Chroot
        ? $"Subsystem sftp internal-sftp -u {Variant.Umask} -d {Home}\nChrootDirectory {ChrootFolder}"
        : $"Subsystem sftp {ServerFiles.SftpServer} -u {Variant.Umask}";

    /// <summary>
    /// Its parts are not where they would be installed, and addresses are not to be punished for log-ins that are meant to fail.
    /// </summary>
    private static string NewerSettings()
    {
        var lines = new List<string>();
        if (File.Exists(ServerFiles.SshdSession)) lines.AddRange([$"SshdSessionPath {ServerFiles.SshdSession}", "PerSourcePenalties no"]);
        if (File.Exists(ServerFiles.SshdAuth)) lines.Add($"SshdAuthPath {ServerFiles.SshdAuth}");
        return string.Join('\n', lines);
    }
}
