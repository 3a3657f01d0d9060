namespace Transfer.Batch.Carriers;

/// <summary>An archive that the sender gave up, so that it never arrived.</summary>
/// <param name="Index">The archive's number in the job; null: several, with unknown numbers.</param>
/// <param name="Error">The error of the last refusal.</param>
internal sealed record LostArchive(long? Index, TransferException Error);
