using Transfer.Sftp;

namespace Transfer.Cli.Credentials;

/// <summary>What the options say about one server's log-in.</summary>
/// <param name="Prefix">What the options begin with: <c>--</c>, <c>--from-</c> or <c>--to-</c>.</param>
internal sealed record LoginArguments(string Prefix)
{
    public string? User { get; init; }

    public string? PasswordFile { get; init; }

    public string? PasswordVariable { get; init; }

    /// <summary>Private key files.</summary>
    public IReadOnlyList<string> Identities { get; init; } = [];

    /// <summary>The hosts to go through; null when nothing is said.</summary>
    public IReadOnlyList<SshJumpHost>? Jump { get; init; }

    public IReadOnlyList<string> Pins { get; init; } = [];

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
            if (Identities.Count > 0) given.Add(Prefix + "identity");
            if (Jump is not null) given.Add(Prefix + "jump");
            if (Pins.Count > 0) given.Add(Prefix + "pin");
            if (Insecure) given.Add(Prefix + "insecure");
            return given;
        }
    }
}
