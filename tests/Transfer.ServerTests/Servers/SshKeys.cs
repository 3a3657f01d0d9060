namespace Transfer.ServerTests.Servers;

/// <summary>Keys made by ssh-keygen for this run: host keys and user keys of every kind, and certificates for them.</summary>
internal static class SshKeys
{
    public const string User = "tester";

    private static readonly string[] Kinds = ["ed25519", "ecdsa-256", "ecdsa-384", "ecdsa-521", "rsa-2048"];
    private static readonly Lazy<string> Folder = new(Create);

    /// <summary>Host keys, each with a certificate beside it.</summary>
    public static IEnumerable<string> Hosts => Kinds.Select(kind => In("host-" + kind));

    /// <summary>The authority that signed the hosts' certificates.</summary>
    public static string HostAuthority => In("host-authority");

    /// <summary>The authority that signed the users' certificates.</summary>
    public static string UserAuthority => In("user-authority");

    /// <summary>A host key that no server has.</summary>
    public static string Stranger => In("stranger");

    /// <summary>A host key with a certificate that names no host.</summary>
    public static string Unnamed => In("unnamed");

    /// <summary>A host key whose certificate has the serial number 77 and its file's name as its id.</summary>
    public static string Numbered => In("numbered");

    /// <summary>The users' keys without certificates, as lines of authorized_keys.</summary>
    public static IEnumerable<string> Authorized => Kinds.Select(kind => File.ReadAllText(PlainUser(kind) + ".pub").Trim());

    public static string Host(string kind) => In("host-" + kind);

    /// <summary>A user's key that servers know.</summary>
    public static string PlainUser(string kind) => In("user-" + kind);

    /// <summary>A user's key that servers know by its certificate only.</summary>
    public static string CertifiedUser(string kind) => In("certified-" + kind);

    private static string In(string name) => Path.Combine(Folder.Value, name);

    private static string Create()
    {
        var folder = Directory.CreateDirectory(Path.Combine(TestHost.Folder, "ssh-keys")).FullName;
        Make("host-authority", "ed25519");
        Make("user-authority", "ed25519");
        Make("stranger", "ed25519");
        Make("unnamed", "ed25519");
        Sign("host-authority", "unnamed", "-h");
        Make("numbered", "ed25519");
        Sign("host-authority", "numbered", "-h", "-z", "77", "-n", "localhost,127.0.0.1");
        foreach (var kind in Kinds)
        {
            Make("host-" + kind, kind);
            Make("user-" + kind, kind);
            Make("certified-" + kind, kind);
            Sign("host-authority", "host-" + kind, "-h", "-n", "localhost,127.0.0.1");
            Sign("user-authority", "certified-" + kind, "-n", User);
        }

        return folder;

        void Make(string name, string kind)
        {
            var parts = kind.Split('-');
            string[] size = parts.Length > 1 ? ["-b", parts[1]] : [];
            Shell.Run(ServerFiles.SshKeygen,
                ["-q", "-t", parts[0], .. size, "-N", string.Empty, "-C", name, "-f", Path.Combine(folder, name)]);
        }

        void Sign(string authority, string key, params string[] arguments) =>
            Shell.Run(ServerFiles.SshKeygen,
                ["-q", "-s", Path.Combine(folder, authority), "-I", key, "-V", "-1d:+1d", .. arguments,
                Path.Combine(folder, key + ".pub")]);
    }
}
