namespace Transfer.Testing;

/// <summary>
/// The files of an <see cref="FtpTestServer"/> or an <see cref="SftpTestServer"/>. Paths are absolute, joined by <c>/</c>, and hold
/// neither <c>.</c> nor <c>..</c>. Several sessions call members at once. Members fail with the framework's own exceptions:
/// <see cref="FileNotFoundException"/> and <see cref="DirectoryNotFoundException"/> (FTP: 550; SFTP: SSH_FX_NO_SUCH_FILE),
/// <see cref="UnauthorizedAccessException"/> (550; SSH_FX_PERMISSION_DENIED), <see cref="NotSupportedException"/> (553;
/// SSH_FX_OP_UNSUPPORTED), other <see cref="IOException"/>s (550, or 552 when the disk is full; SSH_FX_FAILURE).
/// </summary>
public interface ITestStore
{
    /// <summary>The bytes left, or null when there is no limit.</summary>
    long? FreeBytes { get; }

    /// <summary>
    /// Returns the entry at a path, or null. Symbolic links within the path are followed; a link at the end is described itself.
    /// </summary>
    ValueTask<TestEntry?> GetAsync(string path, CancellationToken cancellationToken = default);

    /// <summary>
    /// Returns the path with all symbolic links followed, also one at the end; names that do not exist stay. A store without links returns
    /// the path.
    /// </summary>
    /// <exception cref="UnauthorizedAccessException">A link leads out of the store, or there are too many of them.</exception>
    ValueTask<string> ResolveAsync(string path, CancellationToken cancellationToken = default) => ValueTask.FromResult(path);

    /// <summary>A directory's entries, without <c>.</c> and <c>..</c>.</summary>
    /// <exception cref="DirectoryNotFoundException">There is no such directory.</exception>
    IAsyncEnumerable<TestEntry> ListAsync(string path, CancellationToken cancellationToken = default);

    /// <summary>
    /// Opens a file for reading from an offset in bytes; beyond the end the stream is empty. The SFTP server needs streams that seek.
    /// </summary>
    ValueTask<Stream> OpenReadAsync(string path, long offset, CancellationToken cancellationToken = default);

    /// <summary>
    /// Opens a file for writing from an offset in bytes, creating an absent one. The bytes beyond the offset are cut off unless
    /// <paramref name="truncate"/> is false; a negative offset appends. The SFTP server needs streams that seek.
    /// </summary>
    /// <exception cref="IOException"><paramref name="createNew"/> is true and the file exists.</exception>
    ValueTask<Stream> OpenWriteAsync(
        string path, long offset, bool truncate = true, bool createNew = false, CancellationToken cancellationToken = default);

    /// <summary>Creates a directory in an existing parent.</summary>
    /// <exception cref="IOException">An entry of that name exists.</exception>
    ValueTask CreateDirectoryAsync(string path, CancellationToken cancellationToken = default);

    /// <summary>Creates a symbolic link. By default links are not supported.</summary>
    /// <param name="path">The link's path.</param>
    /// <param name="target">The link's text: an absolute path of the store, or one from the link's directory.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <exception cref="IOException">Something of that name exists.</exception>
    ValueTask CreateSymbolicLinkAsync(string path, string target, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException("The store has no symbolic links.");

    /// <summary>Gives a file a second name. By default hard links are not supported.</summary>
    /// <exception cref="IOException">Something of the new name exists.</exception>
    ValueTask CreateHardLinkAsync(string path, string newPath, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException("The store has no hard links.");

    /// <summary>Deletes a file or a symbolic link.</summary>
    ValueTask DeleteFileAsync(string path, CancellationToken cancellationToken = default);

    /// <summary>Deletes an empty directory.</summary>
    ValueTask DeleteDirectoryAsync(string path, CancellationToken cancellationToken = default);

    /// <summary>
    /// Renames a file, a directory or a link; a file of the new name is replaced unless <paramref name="replace"/> is false.
    /// </summary>
    /// <exception cref="IOException">The new name is that of a directory, or <paramref name="replace"/> is false and something of that
    /// name exists.</exception>
    ValueTask MoveAsync(string from, string to, bool replace = true, CancellationToken cancellationToken = default);

    /// <summary>Sets the modification time.</summary>
    ValueTask SetModifiedAsync(string path, DateTimeOffset modified, CancellationToken cancellationToken = default);

    /// <summary>Sets the permission bits, where the store knows them.</summary>
    ValueTask SetModeAsync(string path, UnixFileMode mode, CancellationToken cancellationToken = default);
}
