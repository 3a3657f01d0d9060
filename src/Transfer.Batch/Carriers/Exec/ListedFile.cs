namespace Transfer.Batch.Carriers.Exec;

/// <summary>A file of a remote folder that is to be fetched.</summary>
/// <param name="Path">Relative to the folder.</param>
/// <param name="Length">As it was listed.</param>
internal readonly record struct ListedFile(string Path, long Length);
