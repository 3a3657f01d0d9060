namespace Transfer.Engine.Sync;

/// <summary>The outcome of a comparison.</summary>
/// <param name="Same">Whether the two files are alike.</param>
/// <param name="Error">Why the comparison failed, or null.</param>
internal readonly record struct SyncOutcome(bool Same, TransferException? Error = null);
