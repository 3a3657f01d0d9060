namespace Transfer.Batch.Carriers;

/// <summary>What its sender has given up, so that it never came.</summary>
/// <param name="Index">The archive's number in the job; null: several, which are not known.</param>
/// <param name="Error">Why it was refused last.</param>
internal sealed record LostArchive(long? Index, TransferException Error);
