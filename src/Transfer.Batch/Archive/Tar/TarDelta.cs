namespace Transfer.Batch.Archive.Tar;

/// <summary>The facts of an entry that holds instructions for making a file of the receiver's file of the same name.</summary>
/// <param name="BaseLength">The base's length.</param>
/// <param name="Block">The length of the base's blocks.</param>
/// <param name="Length">The file's length.</param>
/// <param name="Hash">The file's SHA-256.</param>
/// <param name="BaseHash">The base's SHA-256; null: unknown to the sender.</param>
internal readonly record struct TarDelta(long BaseLength, int Block, long Length, byte[] Hash, byte[]? BaseHash = null);
