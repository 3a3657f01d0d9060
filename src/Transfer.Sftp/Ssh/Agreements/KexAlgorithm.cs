using System.Security.Cryptography;
using Transfer.Sftp.Crypto;

namespace Transfer.Sftp.Ssh.Agreements;

/// <summary>A key exchange method: the name and the factory of one side's half.</summary>
internal sealed record KexAlgorithm(string Name, Func<KeyAgreement> Create)
{
    /// <summary>All built-in methods, best first.</summary>
    public static readonly IReadOnlyList<KexAlgorithm> All =
    [
        new("mlkem768x25519-sha256", static () => new MlKemX25519Agreement()),
        new("curve25519-sha256", static () => new Curve25519Agreement()),
        new("curve25519-sha256@libssh.org", static () => new Curve25519Agreement()),
        new("ecdh-sha2-nistp256", static () => new EcdhAgreement(NistCurve.P256)),
        new("ecdh-sha2-nistp384", static () => new EcdhAgreement(NistCurve.P384)),
        new("ecdh-sha2-nistp521", static () => new EcdhAgreement(NistCurve.P521)),
        new("diffie-hellman-group16-sha512", static () => new DhAgreement(DhGroup.Group16, HashAlgorithmName.SHA512)),
        new("diffie-hellman-group14-sha256", static () => new DhAgreement(DhGroup.Group14, HashAlgorithmName.SHA256)),
    ];

    public static KexAlgorithm Get(string name) => All.First(method => method.Name == name);
}
