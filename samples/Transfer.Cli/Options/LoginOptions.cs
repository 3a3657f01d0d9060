using System.CommandLine;
using Transfer.Cli.Credentials;
using Transfer.Sftp;

namespace Transfer.Cli.Options;

/// <summary>
/// The options about one server's log-in and identity, under a prefix: <c>--</c>, <c>--from-</c> or <c>--to-</c>. What must never reach a
/// second server.
/// </summary>
internal sealed class LoginOptions(string prefix)
{
    private readonly Option<string> _user = CliOptions.Text(prefix + "user", "NAME", "The user to log in as.");
    private readonly Option<string> _passwordFile = CliOptions.Text(prefix + "password-file", "FILE",
        "A file with the password in the first line.");
    private readonly Option<string> _passwordVariable = CliOptions.Text(prefix + "password-env", "NAME",
        "An environment variable that holds the password.");
    private readonly Option<string> _passwordCommand = CliOptions.Text(prefix + "password-command", "COMMAND",
        "A command of the shell that prints the password, as secret-tool, pass and op do; the first line counts.");
    private readonly Option<string> _accountFile = CliOptions.Text(prefix + "account-file", "FILE",
        "ftp:, ftps: and ftpes: only. A file with the account in the first line, for servers that want one too (ACCT).");

    private readonly Option<string[]> _pin =
        new(prefix + "pin")
        {
            HelpName = "SHA256:...",
            Description =
                "Trust this public key (SHA-256, base64; TLS: of the SPKI; sftp: as ssh-keygen -l shows it) and no other. May be "
                + "repeated."
        };

    private readonly Option<string[]> _identity =
        new(prefix + "identity")
        {
            HelpName = "KEY",
            Description = "sftp: only. A private key file to log in with, instead of the agent's and the default ones. May be repeated."
        };

    private readonly Option<string> _jump = new(prefix + "jump", prefix == "--" ? ["-J"] : [])
    {
        HelpName = "HOST,...|none",
        Description =
            "sftp: only. Go through these hosts, [user@]host[:port], as OpenSSH's -J does. They get keys and typed answers, never the "
            + "password given for the URL.",
    };

    private readonly Option<string> _caFile = CliOptions.Text(prefix + "ca-file", "FILE",
        "ftps: and ftpes: only. The certificates of authorities, or of servers themselves, to trust instead of the system's, in PEM.");

    private readonly Option<string> _cert = CliOptions.Text(prefix + "cert", "FILE",
        "ftps: and ftpes: only. A certificate to log in with, in PEM, with its chain.");

    private readonly Option<string> _certKey = CliOptions.Text(prefix + "cert-key", "FILE",
        "ftps: and ftpes: only. The private key of --cert, in PEM. Default: in the same file.");

    private readonly Option<bool> _insecure = CliOptions.Flag(prefix + "insecure",
        "Accept any certificate. An attacker on the network can then read and change everything.");

    public IEnumerable<Option> All =>
        [_user, _passwordFile, _passwordVariable, _passwordCommand, _accountFile, _identity, _jump, _cert, _certKey, _pin, _caFile,
        _insecure];

    /// <summary>The protocols that an option is for.</summary>
    public static LoginUse UseOf(Option option) => option.Name[(option.Name.LastIndexOf("--", StringComparison.Ordinal) + 2)..] switch
    {
        "account-file" => LoginUse.Ftp,
        "identity" or "jump" => LoginUse.Ssh,
        "ca-file" or "cert" or "cert-key" or "insecure" => LoginUse.Tls,
        _ => LoginUse.All,
    };

    public LoginArguments Read(ParseResult parsed) => new(prefix)
    {
        User = CliOptions.Value(parsed, _user),
        PasswordFile = CliOptions.Value(parsed, _passwordFile),
        PasswordVariable = CliOptions.Value(parsed, _passwordVariable),
        PasswordCommand = CliOptions.Value(parsed, _passwordCommand),
        AccountFile = CliOptions.Value(parsed, _accountFile),
        Identities = parsed.GetValue(_identity) ?? [],
        Jump = ParseJump(CliOptions.Value(parsed, _jump)),
        Pins = [.. (parsed.GetValue(_pin) ?? []).SelectMany(static pins => pins.Split(';')).Select(ParsePin)],
        AuthorityFile = CliOptions.Value(parsed, _caFile),
        CertificateFile = CliOptions.Value(parsed, _cert),
        CertificateKeyFile = CliOptions.Value(parsed, _certKey),
        Insecure = parsed.GetValue(_insecure),
    };

    private IReadOnlyList<SshJumpHost>? ParseJump(string? text)
    {
        if (text is null) return null;
        if (text.Equals(ConnectionSettings.None, StringComparison.OrdinalIgnoreCase)) return [];
        try
        {
            return [.. text.Split(',').Select(SshJumpHost.Parse)];
        }
        catch (ArgumentException)
        {
            throw new UsageException($"{prefix}jump wants [user@]host[:port], several with commas between, or none.");
        }
    }

    private string ParsePin(string text)
    {
        const string Algorithm = "SHA256:";
        const string OfCurl = "sha256//";
        Span<byte> hash = stackalloc byte[48];
        var isOfCurl = text.StartsWith(OfCurl, StringComparison.OrdinalIgnoreCase);
        if (!isOfCurl && !text.StartsWith(Algorithm, StringComparison.OrdinalIgnoreCase)) throw Wrong();

        // OpenSSH prints such hashes without the padding.
        var base64 = text[(isOfCurl ? OfCurl : Algorithm).Length..].TrimEnd('=');
        if (!Convert.TryFromBase64String(base64 + (base64.Length % 4 == 3 ? "=" : string.Empty), hash, out var length) || length != 32)
            throw Wrong();
        return Algorithm + Convert.ToBase64String(hash[..length]);

        UsageException Wrong() => new($"{prefix}pin wants SHA256: (or curl's sha256//) and 32 bytes in base64.");
    }
}
