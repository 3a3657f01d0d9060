namespace Transfer.Batch;

/// <summary>A recipient of a job.</summary>
/// <param name="Name">The name under which the recipient fetches, 1 to 64 characters.</param>
/// <param name="Key">The recipient's public key; null where the sender's key, or a passphrase, is shared.</param>
public sealed record SpoolRecipient(string Name, SpoolPublicKey? Key = null)
{
    internal const int MostName = 64;

    /// <summary>Whether a text is a valid name: 1 to 64 characters, no control character, no white space at either end. Names are compared
    /// exactly.</summary>
    public static bool IsName(string name) =>
        name is { Length: > 0 and <= MostName } && !name.Any(char.IsControl) && name.Trim().Length == name.Length;
}
