namespace Transfer.Sftp.Ssh.Agreements;

/// <summary>
/// A host key algorithm: the negotiated name and the type at the start of the key's blob, which differs for RSA (RFC 8332 section 3).
/// </summary>
internal sealed record HostKeyAlgorithm(string Name, string KeyType)
{
    private const string CertificateSuffix = "-cert-v01@openssh.com";

    /// <summary>All built-in algorithms, best first; certificates after the plain keys.</summary>
    public static readonly IReadOnlyList<HostKeyAlgorithm> All = WithCertificates(
        new("ssh-ed25519", "ssh-ed25519"),
        new("ecdsa-sha2-nistp256", "ecdsa-sha2-nistp256"),
        new("ecdsa-sha2-nistp384", "ecdsa-sha2-nistp384"),
        new("ecdsa-sha2-nistp521", "ecdsa-sha2-nistp521"),
        new("rsa-sha2-512", "ssh-rsa"),
        new("rsa-sha2-256", "ssh-rsa"));

    public bool IsCertificate => KeyType.EndsWith(CertificateSuffix, StringComparison.Ordinal);

    public static HostKeyAlgorithm Get(string name) => All.First(algorithm => algorithm.Name == name);

    /// <summary>
    /// The names to offer: first those of the keys known for the host, so that the server shows a key that can be checked. Certificates
    /// are offered only where an authority for the host is known: without one the plain key is the one that can be checked.
    /// </summary>
    public static string[] Order(IReadOnlyList<string> configured, IReadOnlyList<string> knownTypes)
    {
        var usable = configured.Select(Get).Where(algorithm => !algorithm.IsCertificate || knownTypes.Contains(algorithm.KeyType))
            .ToArray();

        // Ordered by the known types; a stable sort keeps the configured order inside.
        return [.. usable.OrderBy(Rank).Select(algorithm => algorithm.Name)];

        int Rank(HostKeyAlgorithm algorithm)
        {
            for (var i = 0; i < knownTypes.Count; i++)
            {
                if (knownTypes[i] == algorithm.KeyType) return i;
            }

            return int.MaxValue;
        }
    }

    private static HostKeyAlgorithm[] WithCertificates(params HostKeyAlgorithm[] plain) =>
        [.. plain,
        .. plain.Select(algorithm => new HostKeyAlgorithm(algorithm.Name + CertificateSuffix, algorithm.KeyType + CertificateSuffix))];
}
