namespace Transfer.PowerShell.Batches;

/// <summary>A key of batches that was made.</summary>
/// <param name="Path">The file of the key; its content is a secret.</param>
/// <param name="PublicKey">The half for the other side, which is no secret; null: the key is shared, and both sides need the file.</param>
/// <param name="IsShared">Whether sender and recipients share the key.</param>
public sealed record TransferKey(string Path, string? PublicKey, bool IsShared);
