namespace Transfer.Engine.Sync;

/// <summary>What a comparison came to.</summary>
/// <param name="Same">The two files are alike.</param>
/// <param name="Error">Why that could not be found out, or null.</param>
internal readonly record struct SyncOutcome(bool Same, TransferException? Error = null);
