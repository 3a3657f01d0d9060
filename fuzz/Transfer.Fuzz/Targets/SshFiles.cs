using System.Text;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Keys.Config;
using Transfer.Sftp.Keys.Files;
using Transfer.Sftp.Keys.Hosts;

namespace Transfer.Fuzz.Targets;

/// <summary>Files that OpenSSH's programs share with us.</summary>
internal static class SshFiles
{
    private static readonly Ed25519PublicKey Key =
        new(Convert.FromHexString("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"));

    /// <summary>A private key's file. One that is encrypted is not decrypted: making a key of a passphrase takes long on purpose.</summary>
    public static void ReadKeys(byte[] input)
    {
        using var file = PrivateKeyFile.Find(input);
        _ = file.PublicKey;
        if (file.IsEncrypted) return;
        var (key, _) = file.Decode([], CancellationToken.None);
        key.Dispose();
    }

    /// <summary>A known_hosts file, and who is known by it.</summary>
    public static void ReadKnownHosts(byte[] input)
    {
        using var text = new StringReader(Encoding.UTF8.GetString(input));
        var hosts = new KnownHosts(KnownHostsFile.Parse(text, "known_hosts", NullLogger.Instance));
        hosts.KnownTypes("host.example", 22);
        hosts.KnownTypes("host.example", 2222);
    }

    /// <summary>A key revocation list, and whether a key is on it.</summary>
    public static void ReadRevocations(byte[] input) => KeyRevocationList.Parse(input).FindReason(Key);

    /// <summary>The lines of an ssh_config, and what they come to for a host.</summary>
    public static void ReadConfig(byte[] input)
    {
        var settings = new List<SshConfigSetting>();
        IReadOnlyList<SshConfigLine> conditions = [];
        var number = 0;
        foreach (var line in Encoding.UTF8.GetString(input).Split('\n'))
        {
            if (SshConfigLine.Parse(line, "config", ++number) is not { } parsed) continue;
            if (parsed.IsCondition) conditions = [parsed];
            else settings.Add(new SshConfigSetting(conditions, parsed));
        }

        new SshConfigFile(settings, "/home/user", NullLogger.Instance).Resolve("host.example");
    }
}
