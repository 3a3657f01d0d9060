namespace Transfer.ServerTests.Servers;

/// <summary>Where <c>./build.sh servers</c> unpacked the servers.</summary>
internal static class ServerFiles
{
    public static string Repository { get; } = FindRepository();

    public static string Vsftpd => In("usr/sbin/vsftpd");

    public static string Proftpd => In("usr/sbin/proftpd");

    public static string ProftpdModules => In("usr/lib/proftpd");

    public static string PureFtpd => In("usr/sbin/pure-ftpd");

    public static string PurePw => In("usr/bin/pure-pw");

    public static string Sshd => In("usr/sbin/sshd");

    public static string SftpServer => In("usr/lib/openssh/sftp-server");

    /// <summary>Since 9.8 sshd starts another program for each connection; absent before.</summary>
    public static string SshdSession => In("usr/lib/openssh/sshd-session");

    /// <summary>Since 9.9 yet another until the log-in; absent before.</summary>
    public static string SshdAuth => In("usr/lib/openssh/sshd-auth");

    /// <summary>OpenSSH's client, of the same version as sshd: it tells what both can.</summary>
    public static string Ssh => In("usr/bin/ssh");

    public static string SshKeygen => In("usr/bin/ssh-keygen");

    /// <summary>Where Python's packages are: asyncssh, for <see cref="OneTimeCodeServer"/>, and ssh-audit's own.</summary>
    public static string PythonPackages => In("usr/lib/python3/dist-packages");

    /// <summary>Where Node.js finds packages.</summary>
    public static string NodePackages => In("node/node_modules");

    public static string Dropbear => In("usr/sbin/dropbear");

    public static string DropbearConvert => In("usr/lib/dropbear/dropbearconvert");

    public static string TinySsh => In("usr/sbin/tinysshd");

    public static string TinySshMakeKey => In("usr/sbin/tinysshd-makekey");

    public static string TinySshPrintKey => In("usr/sbin/tinysshd-printkey");

    public static string InetutilsFtpd => In("usr/sbin/ftpd");

    /// <summary>Programs of PostgreSQL; their folder is named after its version.</summary>
    public static string Postgres(string program) => Path.Combine(
        Directory.EnumerateDirectories(In("usr/lib/postgresql")).OrderDescending(StringComparer.Ordinal).First(), "bin", program);

    public static string SshAudit => In("usr/bin/ssh-audit");

    /// <summary>The program of <see cref="OneTimeCodeServer"/>.</summary>
    public static string OneTimeCodes => Path.Combine(Repository, "tests", "Transfer.ServerTests", "Servers", "one-time-codes.py");

    /// <summary>Runs a program at a terminal.</summary>
    public static string Terminal => Path.Combine(Repository, "tests", "Transfer.ServerTests", "Command", "terminal.py");

    public static string Scp => In("usr/bin/scp");

    public static string Sftp => In("usr/bin/sftp");

    /// <summary>A folder of what a small host has: busybox under the name of each of its tools.</summary>
    public static string SmallHost => In("small-host");

    /// <summary>A shell; some distributions have theirs in /bin.</summary>
    public static string LogInShell(string name) => In("usr/bin/" + name) is var path && File.Exists(path) ? path : In("bin/" + name);

    /// <summary>The PAM module that reads a password file; its folder is named after the architecture.</summary>
    public static string PamPwdfile => Directory.EnumerateFiles(In(string.Empty), "pam_pwdfile.so", SearchOption.AllDirectories).First();

    public static void ThrowIfMissing()
    {
        foreach (var file in new[] { Vsftpd, Proftpd, PureFtpd, PurePw, Sshd, SftpServer, SshKeygen, SshAudit,
            Path.Combine(SmallHost, "sh"), LogInShell("fish"), LogInShell("tcsh"), LogInShell("zsh"), Dropbear, DropbearConvert, TinySsh,
            InetutilsFtpd, In("usr/lib/postgresql"), Path.Combine(NodePackages, "ssh2", "package.json") })
        {
            if (!Path.Exists(file))
                throw new InvalidOperationException($"{file} is missing: run ./build.sh servers (Debian or Ubuntu, as root).");
        }
    }

    private static string In(string path) => Path.Combine(Repository, "artifacts", "servers", path);

    private static string FindRepository()
    {
        for (var directory = new DirectoryInfo(AppContext.BaseDirectory); directory is not null; directory = directory.Parent)
        {
            if (File.Exists(Path.Combine(directory.FullName, "Transfer.slnx"))) return directory.FullName;
        }

        throw new InvalidOperationException($"No Transfer.slnx above {AppContext.BaseDirectory}.");
    }
}
