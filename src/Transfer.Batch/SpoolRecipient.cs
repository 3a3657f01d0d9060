namespace Transfer.Batch;

/// <summary>Somebody whom a job is for.</summary>
/// <param name="Name">The name that he fetches as, 1 to 64 characters.</param>
/// <param name="Key">His public key; null where the sender's key is a shared one.</param>
public sealed record SpoolRecipient(string Name, SpoolPublicKey? Key = null)
{
    internal const int MostName = 64;

    /// <summary>True for what can be a name: it is shown, and compared as it is.</summary>
    internal static bool IsName(string name) => name.Length is > 0 and <= MostName && !name.Any(char.IsControl) && name.Trim().Length == name.Length;
}
