using Transfer.Sftp;

namespace Transfer.Cli.Credentials;

/// <summary>What the options say about one server's log-in.</summary>
/// <param name="Prefix">What the options begin with: <c>--</c>, <c>--from-</c> or <c>--to-</c>.</param>
internal sealed record LoginArguments(string Prefix)
{
    public string? User { get; init; }

    public string? PasswordFile { get; init; }

    public string? PasswordVariable { get; init; }

    /// <summary>The file of the account for ACCT; null: none.</summary>
    public string? AccountFile { get; init; }

    /// <summary>Private key files.</summary>
    public IReadOnlyList<string> Identities { get; init; } = [];

    /// <summary>The hosts to go through; null when nothing is said.</summary>
    public IReadOnlyList<SshJumpHost>? Jump { get; init; }

    public IReadOnlyList<string> Pins { get; init; } = [];

    /// <summary>The file of authorities to trust; null: the system's.</summary>
    public string? AuthorityFile { get; init; }

    /// <summary>The file of a certificate to log in with.</summary>
    public string? CertificateFile { get; init; }

    /// <summary>The file of that certificate's key; null: the same.</summary>
    public string? CertificateKeyFile { get; init; }

    /// <summary>The first option given that is about certificates, or null.</summary>
    public string? CertificateOption =>
        AuthorityFile is not null ? Prefix + "ca-file" : CertificateFile is not null ? Prefix + "cert"
        : CertificateKeyFile is not null ? Prefix + "cert-key" : null;

    public bool Insecure { get; init; }

    /// <summary>The options that were given, for messages.</summary>
    public IReadOnlyList<string> Given
    {
        get
        {
            var given = new List<string>();
            if (User is not null) given.Add(Prefix + "user");
            if (PasswordFile is not null) given.Add(Prefix + "password-file");
            if (PasswordVariable is not null) given.Add(Prefix + "password-env");
            if (AccountFile is not null) given.Add(Prefix + "account-file");
            if (Identities.Count > 0) given.Add(Prefix + "identity");
            if (Jump is not null) given.Add(Prefix + "jump");
            if (Pins.Count > 0) given.Add(Prefix + "pin");
            if (CertificateOption is { } option) given.Add(option);
            if (Insecure) given.Add(Prefix + "insecure");
            return given;
        }
    }
}
