namespace Transfer.Batch;

/// <summary>Somebody whom a job is for.</summary>
/// <param name="Name">The name that he fetches as, 1 to 64 characters.</param>
/// <param name="Key">His public key; null where the sender's key, or a passphrase, is shared.</param>
public sealed record SpoolRecipient(string Name, SpoolPublicKey? Key = null)
{
    internal const int MostName = 64;

    /// <summary>True for what can be a name: 1 to 64 characters, none of them a control character, no white space around them. Names are compared as they are.</summary>
    public static bool IsName(string name) => name is { Length: > 0 and <= MostName } && !name.Any(char.IsControl) && name.Trim().Length == name.Length;
}
