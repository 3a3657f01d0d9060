namespace Transfer.Batch.Carriers.Exec;

/// <summary>A file of a remote folder that is to be fetched.</summary>
/// <param name="Path">The path relative to the folder.</param>
/// <param name="Length">The length in the listing.</param>
internal readonly record struct ListedFile(string Path, long Length);
