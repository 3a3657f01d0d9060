namespace Transfer.Batch.Carriers;

/// <summary>A file of an archive that the receiver could not write.</summary>
/// <param name="Path">The file's path in the job, with slashes.</param>
/// <param name="Error">The kind of error.</param>
/// <param name="Message">A message for people, without secrets.</param>
internal sealed record ArchiveFailure(string Path, TransferError Error, string Message);
