using Transfer.Sftp.Ssh.Agreements;
using Transfer.Sftp.Ssh.Ciphers;
using Transfer.Sftp.Ssh.Kex;

namespace Transfer.Testing.Ssh;

/// <summary>The algorithms that a server offers, best first.</summary>
internal sealed record ServerAlgorithms(
    IReadOnlyList<string> KeyExchanges, IReadOnlyList<string> Ciphers, IReadOnlyList<string> Macs, IReadOnlyList<string> HostKeys)
{
    /// <summary>Returns the algorithms of the options; an empty list stands for all built-in ones.</summary>
    /// <exception cref="ArgumentException">A name is not built in.</exception>
    public static ServerAlgorithms Of(SftpTestServerOptions options, HostKeySet keys) => new(
        Checked(options.KeyExchanges, KexAlgorithm.All.Select(method => method.Name), "key exchange"),
        Checked(options.Ciphers, CipherAlgorithm.All.Select(cipher => cipher.Name), "cipher"),
        Checked(options.Macs, MacAlgorithm.All.Select(mac => mac.Name), "MAC"),
        keys.Algorithms);

    /// <summary>SSH_MSG_KEXINIT of the server. The first one announces strict key exchange.</summary>
    public KexInit ToInit(bool isFirst) => new()
    {
        Methods = isFirst ? [.. KeyExchanges, KexNames.ServerStrict] : KeyExchanges,
        HostKeys = HostKeys,
        CiphersToServer = Ciphers,
        CiphersToClient = Ciphers,
        MacsToServer = Macs,
        MacsToClient = Macs,
    };

    private static string[] Checked(IReadOnlyList<string> wanted, IEnumerable<string> built, string purpose)
    {
        string[] all = [.. built];
        if (wanted.Count == 0) return all;
        var unknown = wanted.FirstOrDefault(name => !all.Contains(name));
        if (unknown is null) return [.. wanted];
        throw new ArgumentException($"'{unknown}' is no {purpose} that is built in; there are {string.Join(", ", all)}.", nameof(wanted));
    }
}
