namespace Transfer.Ftp;

/// <summary>The account that some servers request after the password (ACCT, RFC 959 section 4.1.1). Treated as a secret.</summary>
public sealed class FtpAccount
{
    /// <summary>Creates an account.</summary>
    public FtpAccount(string value)
    {
        ArgumentNullException.ThrowIfNull(value);
        Value = value;
    }

    /// <summary>The secret.</summary>
    public string Value { get; }

    /// <summary>Returns the type name only, to keep the account secret.</summary>
    public override string ToString() => nameof(FtpAccount);
}
