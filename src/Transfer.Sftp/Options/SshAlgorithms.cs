using Transfer.Sftp.Ssh.Agreements;
using Transfer.Sftp.Ssh.Ciphers;

namespace Transfer.Sftp;

/// <summary>
/// The SSH algorithms that are offered, best first. For each purpose the server picks the first that both sides have (RFC 4253 section
/// 7.1). Every list may be reordered or shortened; a name that is not built in is refused with an <see cref="ArgumentException"/>, and so
/// is an empty list.
/// </summary>
/// <remarks>Not built in: CBC modes, SHA-1 in any place, and sntrup761x25519-sha512.</remarks>
public sealed record SshAlgorithms
{
    /// <summary>
    /// Key exchange methods: mlkem768x25519-sha256, curve25519-sha256 and its older name, ecdh-sha2-nistp256/384/521,
    /// diffie-hellman-group16-sha512, diffie-hellman-group14-sha256.
    /// </summary>
    public IReadOnlyList<string> KeyExchanges
    {
        get;
        init => field = Checked(value, Names(KexAlgorithm.All, method => method.Name), "key exchange method");
    } = Names(KexAlgorithm.All, method => method.Name);

    /// <summary>
    /// Host key algorithms: ssh-ed25519, ecdsa-sha2-nistp256/384/521, rsa-sha2-512/256, and their certificate forms. Algorithms of keys
    /// known for the host come first, whatever the order here; certificates only where an authority is known.
    /// </summary>
    public IReadOnlyList<string> HostKeys
    {
        get;
        init => field = Checked(value, Names(HostKeyAlgorithm.All, algorithm => algorithm.Name), "host key algorithm");
    } = Names(HostKeyAlgorithm.All, algorithm => algorithm.Name);

    /// <summary>
    /// Ciphers, for both directions: aes128-gcm@openssh.com, aes256-gcm@openssh.com, aes128-ctr, aes192-ctr, aes256-ctr,
    /// chacha20-poly1305@openssh.com.
    /// </summary>
    public IReadOnlyList<string> Ciphers
    {
        get;
        init => field = Checked(value, Names(CipherAlgorithm.All, cipher => cipher.Name), "cipher");
    } = Names(CipherAlgorithm.All, cipher => cipher.Name);

    /// <summary>
    /// MACs, for both directions, used with ciphers that do not authenticate by themselves: hmac-sha2-256/512-etm@openssh.com,
    /// hmac-sha2-256/512.
    /// </summary>
    public IReadOnlyList<string> Macs
    {
        get;
        init => field = Checked(value, Names(MacAlgorithm.All, mac => mac.Name), "MAC");
    } = Names(MacAlgorithm.All, mac => mac.Name);

    private static string[] Names<T>(IReadOnlyList<T> all, Func<T, string> name) => [.. all.Select(name)];

    private static string[] Checked(IReadOnlyList<string> names, string[] known, string purpose)
    {
        ArgumentNullException.ThrowIfNull(names);
        if (names.Count == 0)
            throw new ArgumentException($"At least one {purpose} is needed; there are {string.Join(", ", known)}.", nameof(names));
        var unknown = names.FirstOrDefault(name => !known.Contains(name));
        if (unknown is not null)
        {
            throw new ArgumentException($"'{unknown}' is no {purpose} that is built in; there are {string.Join(", ", known)}.",
                nameof(names));
        }

        return [.. names.Distinct()];
    }
}
