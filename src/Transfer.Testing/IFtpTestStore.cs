namespace Transfer.Testing;

/// <summary>
/// The files behind an <see cref="FtpTestServer"/>. Paths are absolute, joined by <c>/</c>, and hold neither <c>.</c> nor <c>..</c>.
/// Members are called by several sessions at once. They fail with the framework's own exceptions: <see cref="FileNotFoundException"/>
/// and <see cref="DirectoryNotFoundException"/> (answered 550), <see cref="UnauthorizedAccessException"/> (550), other
/// <see cref="IOException"/>s (550, or 552 when the disk is full).
/// </summary>
public interface IFtpTestStore
{
    /// <summary>Bytes left, or null when there is no limit.</summary>
    long? FreeBytes { get; }

    /// <summary>What is at a path, or null.</summary>
    ValueTask<FtpTestEntry?> GetAsync(string path, CancellationToken cancellationToken = default);

    /// <summary>A directory's entries, without <c>.</c> and <c>..</c>.</summary>
    /// <exception cref="DirectoryNotFoundException">There is no such directory.</exception>
    IAsyncEnumerable<FtpTestEntry> ListAsync(string path, CancellationToken cancellationToken = default);

    /// <summary>Opens a file for reading from an offset in bytes; beyond the end the stream is empty.</summary>
    ValueTask<Stream> OpenReadAsync(string path, long offset, CancellationToken cancellationToken = default);

    /// <summary>
    /// Opens a file for writing from an offset in bytes and creates it when absent. What was beyond the offset is cut off
    /// unless <paramref name="truncate"/> is false; a negative offset appends.
    /// </summary>
    ValueTask<Stream> OpenWriteAsync(string path, long offset, bool truncate = true, CancellationToken cancellationToken = default);

    /// <summary>Creates a directory whose parent exists.</summary>
    /// <exception cref="IOException">Something of that name exists.</exception>
    ValueTask CreateDirectoryAsync(string path, CancellationToken cancellationToken = default);

    /// <summary>Deletes a file.</summary>
    ValueTask DeleteFileAsync(string path, CancellationToken cancellationToken = default);

    /// <summary>Deletes an empty directory.</summary>
    ValueTask DeleteDirectoryAsync(string path, CancellationToken cancellationToken = default);

    /// <summary>Renames a file or directory; a file of the new name is replaced.</summary>
    ValueTask MoveAsync(string from, string to, CancellationToken cancellationToken = default);

    /// <summary>Sets the modification time.</summary>
    ValueTask SetModifiedAsync(string path, DateTimeOffset modified, CancellationToken cancellationToken = default);

    /// <summary>Sets the permission bits, where the store knows them.</summary>
    ValueTask SetModeAsync(string path, UnixFileMode mode, CancellationToken cancellationToken = default);
}
