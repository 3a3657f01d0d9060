namespace Transfer.Cli.Credentials;

/// <summary>What a server is logged in to with. Says nothing of its secrets.</summary>
/// <param name="Credential">Null: anonymous.</param>
/// <param name="Account">What ACCT is answered with, or null.</param>
internal sealed record Login(TransferCredential? Credential, string? Account)
{
    public static readonly Login Anonymous = new(null, null);

    /// <summary>False: nobody was named, and the user is whoever runs the command.</summary>
    public bool UserIsNamed { get; init; } = true;

    /// <summary>TRANSFER_PASSWORD may hold the password.</summary>
    public bool TakesVariable { get; init; }

    /// <summary>The password was typed, and may be mistyped.</summary>
    public bool IsTyped { get; init; }

    /// <summary>A password of somebody's, not the e-mail address that anonymous log-ins give.</summary>
    public bool HasSecret => Account is not null
        || (Credential is { Password.Length: > 0 } c && !LoginResolver.IsAnonymous(c.UserName));

    public override string ToString() => nameof(Login);
}
