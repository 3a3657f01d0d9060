namespace Transfer.Cli.Credentials;

/// <summary>A password of a file that only its owner can read. Says nothing of it.</summary>
internal sealed class StoredSecret(string value)
{
    public string Reveal() => value;

    public override string ToString() => nameof(StoredSecret);
}
