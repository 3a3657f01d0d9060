using System.Security.Cryptography;

namespace Transfer.Sftp.Ssh.Ciphers;

/// <summary>A MAC algorithm: the name, the hash, the bytes of key and tag, and the order of MAC and encryption.</summary>
internal sealed record MacAlgorithm(string Name, HashAlgorithmName Hash, int Size, bool EncryptThenMac)
{
    /// <summary>All built-in MACs, best first.</summary>
    public static readonly IReadOnlyList<MacAlgorithm> All =
    [
        new("hmac-sha2-256-etm@openssh.com", HashAlgorithmName.SHA256, 32, true),
        new("hmac-sha2-512-etm@openssh.com", HashAlgorithmName.SHA512, 64, true),
        new("hmac-sha2-256", HashAlgorithmName.SHA256, 32, false),
        new("hmac-sha2-512", HashAlgorithmName.SHA512, 64, false),
    ];

    public static MacAlgorithm Get(string name) => All.First(mac => mac.Name == name);
}
