namespace Transfer.Batch.Archive.Tar;

/// <summary>An entry is no content, but how to make it of what the receiver has under that name.</summary>
/// <param name="BaseLength">How long that is.</param>
/// <param name="Block">How long its blocks are.</param>
/// <param name="Length">How long the file is.</param>
/// <param name="Hash">The file's SHA-256.</param>
/// <param name="BaseHash">SHA-256 of what it is made of; null: its sender does not know it.</param>
internal readonly record struct TarDelta(long BaseLength, int Block, long Length, byte[] Hash, byte[]? BaseHash = null);
