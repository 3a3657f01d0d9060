namespace Transfer.PowerShell.Batches;

/// <summary>The address of a receiver that listens.</summary>
/// <param name="Address">
/// The address for <c>Send-TransferBatch -Address</c>, or <c>transfer send</c>, with the token, which gives the right to write into the
/// folder.
/// </param>
/// <param name="Destination">The local folder that the batch goes into.</param>
public sealed record BatchReceiverAddress(string Address, string Destination);
