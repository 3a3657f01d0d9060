namespace Transfer;

public abstract partial class TransferClient
{
    /// <summary>Lists a directory as it comes, in no order; names that no directory can hold (<c>.</c>, <c>..</c>, a slash, NUL) are left out with a warning in the log.</summary>
    /// <exception cref="TransferException">Thrown while enumerating: no such directory, no permission, or the connection was lost.</exception>
    public virtual IAsyncEnumerable<RemoteEntry> ListAsync(string path, ListOptions? options = null, CancellationToken ct = default) =>
        throw new NotImplementedException();

    /// <summary>Describes one path; null when it does not exist.</summary>
    public virtual ValueTask<RemoteEntry?> GetEntryAsync(
        string path, CancellationToken ct = default) => throw new NotImplementedException();

    /// <summary>Creates a directory, and those above it when asked; one that exists already is not an error.</summary>
    /// <exception cref="TransferException">It could not be created.</exception>
    public virtual ValueTask CreateDirectoryAsync(
        string path, bool parents = true, CancellationToken ct = default) => throw new NotImplementedException();

    /// <summary>Deletes a file, a link, or a directory: an empty one, or with all that is in it when asked. Links are deleted, not followed.</summary>
    /// <returns>True when something was deleted, false when nothing was there.</returns>
    /// <exception cref="TransferException">Something could not be deleted; the rest was tried.</exception>
    public virtual ValueTask<bool> DeleteAsync(
        string path, bool recursive = false, CancellationToken ct = default) => throw new NotImplementedException();

    /// <summary>Renames a file or directory.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Exists"/>: the target exists and may not be replaced.</exception>
    public virtual ValueTask MoveAsync(
        string from, string to, bool overwrite = false, CancellationToken ct = default) => throw new NotImplementedException();
}
