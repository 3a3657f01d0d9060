namespace Transfer.Batch.Archive.Tar;

/// <summary>An entry is a slice of a file that is larger than an archive.</summary>
/// <param name="File">The file's number in the job.</param>
/// <param name="Offset">Where the slice is in the file.</param>
/// <param name="Total">The file's length.</param>
internal readonly record struct TarSlice(long File, long Offset, long Total);
