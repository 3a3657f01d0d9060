namespace Transfer;

/// <summary>A user name and a password. Neither ever shows in <see cref="ToString"/>, a log or a message.</summary>
public sealed class TransferCredential
{
    /// <summary>Creates a credential.</summary>
    public TransferCredential(string userName, string password)
    {
        ArgumentNullException.ThrowIfNull(userName);
        ArgumentNullException.ThrowIfNull(password);
        UserName = userName;
        Password = password;
    }

    /// <summary>The log-in name.</summary>
    public string UserName { get; }

    /// <summary>The secret.</summary>
    public string Password { get; }

    /// <summary>Reveals nothing, on purpose.</summary>
    public override string ToString() => nameof(TransferCredential);
}
