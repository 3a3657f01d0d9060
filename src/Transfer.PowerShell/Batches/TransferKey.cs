namespace Transfer.PowerShell.Batches;

/// <summary>A key of batches that was made.</summary>
/// <param name="Path">The file of the key; what is in it is a secret.</param>
/// <param name="PublicKey">The half that the others need, which is no secret; null: the key is shared, and the others need all of it.</param>
/// <param name="IsShared">Sender and recipients share the key.</param>
public sealed record TransferKey(string Path, string? PublicKey, bool IsShared);
