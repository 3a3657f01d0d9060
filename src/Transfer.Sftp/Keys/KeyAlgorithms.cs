namespace Transfer.Sftp.Keys;

/// <summary>The names of public key algorithms, and their forms for certificates.</summary>
internal static class KeyAlgorithms
{
    public const string Ed25519 = "ssh-ed25519";
    public const string RsaSha256 = "rsa-sha2-256";
    public const string RsaSha512 = "rsa-sha2-512";

    /// <summary>The type of RSA keys; as a signature algorithm the name means SHA-1 and is never used here.</summary>
    public const string RsaKey = "ssh-rsa";

    public const string EcdsaPrefix = "ecdsa-sha2-";

    /// <summary>The supported types of plain keys, best first.</summary>
    public static readonly IReadOnlyList<string> KeyTypes = [Ed25519, EcdsaPrefix + "nistp256", EcdsaPrefix + "nistp384",
        EcdsaPrefix + "nistp521", RsaKey];

    private const string CertificateSuffix = "-cert-v01@openssh.com";

    /// <summary>True for <c>…-cert-v01@openssh.com</c>.</summary>
    public static bool IsCertificate(string name) => name.EndsWith(CertificateSuffix, StringComparison.Ordinal);

    /// <summary>The name that a signature carries: without the certificate's suffix.</summary>
    public static string Plain(string name) => IsCertificate(name) ? name[..^CertificateSuffix.Length] : name;

    /// <summary>
    /// The signature algorithms of a type of key or certificate, best first: the type itself, except for RSA, where the type means SHA-1.
    /// </summary>
    public static IReadOnlyList<string> OfType(string type) => Plain(type) != RsaKey ? [type]
        : IsCertificate(type) ? [Certificate(RsaSha512), Certificate(RsaSha256)]
        : [RsaSha512, RsaSha256];

    /// <summary>The certificate form of a plain name.</summary>
    public static string Certificate(string name) => name + CertificateSuffix;
}
