namespace Transfer.Batch.Carriers;

/// <summary>What a receiver says of an archive whose files are safe.</summary>
/// <param name="Index">The archive's number in the job.</param>
/// <param name="Digest">SHA-256 of its bytes, as they were carried.</param>
/// <param name="Files">The files that have their names now.</param>
/// <param name="Failures">Those that could not be written or were refused.</param>
internal sealed record ArchiveReceipt(long Index, ReadOnlyMemory<byte> Digest, long Files, IReadOnlyList<ArchiveFailure> Failures);
