using Transfer.Sftp;

namespace Transfer.Cli.Credentials;

/// <summary>What the options say about one server's log-in.</summary>
/// <param name="Prefix">What the options begin with: <c>--</c>, <c>--from-</c> or <c>--to-</c>.</param>
internal sealed record LoginArguments(string Prefix)
{
    public string? User { get; init; }

    public string? PasswordFile { get; init; }

    public string? PasswordVariable { get; init; }

    /// <summary>The command that prints the password.</summary>
    public string? PasswordCommand { get; init; }

    /// <summary>The password of a profile; null: none.</summary>
    public StoredSecret? Password { get; init; }

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
            if (PasswordCommand is not null) given.Add(Prefix + "password-command");
            if (AccountFile is not null) given.Add(Prefix + "account-file");
            if (Identities.Count > 0) given.Add(Prefix + "identity");
            if (Jump is not null) given.Add(Prefix + "jump");
            if (Pins.Count > 0) given.Add(Prefix + "pin");
            if (CertificateOption is { } option) given.Add(option);
            if (Insecure) given.Add(Prefix + "insecure");
            return given;
        }
    }

    private bool HasPassword =>
        PasswordFile is not null || PasswordVariable is not null || PasswordCommand is not null || Password is not null;

    private bool HasTrust => Pins.Count > 0 || Insecure || AuthorityFile is not null;

    /// <summary>These arguments, and others where these say nothing. The password of another user is none of these.</summary>
    /// <param name="others">The arguments that count less.</param>
    public LoginArguments Over(LoginArguments others)
    {
        var password = HasPassword || User is not null && User != others.User ? this : others;
        var (trust, certificate) = (HasTrust ? this : others, CertificateFile is not null ? this : others);
        return this with
        {
            User = User ?? others.User,
            PasswordFile = password.PasswordFile,
            PasswordVariable = password.PasswordVariable,
            PasswordCommand = password.PasswordCommand,
            Password = password.Password,
            AccountFile = AccountFile ?? others.AccountFile,
            Identities = Identities.Count > 0 ? Identities : others.Identities,
            Jump = Jump ?? others.Jump,
            Pins = trust.Pins,
            Insecure = trust.Insecure,
            AuthorityFile = trust.AuthorityFile,
            CertificateFile = certificate.CertificateFile,
            CertificateKeyFile = CertificateKeyFile ?? certificate.CertificateKeyFile,
        };
    }
}
