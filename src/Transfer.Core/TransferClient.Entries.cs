using Transfer.Engine.Files;
using Transfer.Engine.Operations;
using Transfer.Sessions;

namespace Transfer;

public abstract partial class TransferClient
{
    /// <summary>
    /// Lists a directory as the entries arrive, in no order; names that no directory can hold (<c>.</c>, <c>..</c>, a slash, NUL) are left
    /// out with a warning in the log.
    /// </summary>
    /// <exception cref="TransferException">
    /// Thrown while enumerating: no such directory, no permission, or the connection was lost. Thrown at the end, after every listed entry:
    /// <see cref="TransferError.Partial"/>, the listing lacks entries or may lack some, or a sub-directory could not be listed; not with
    /// <see cref="ListOptions.AcceptPartial"/>.
    /// </exception>
    public virtual IAsyncEnumerable<RemoteEntry> ListAsync(string path, ListOptions? options = null,
        CancellationToken cancellationToken = default) =>
        RemoteListing.EnumerateAsync(Engine, Resolve(path), ListOptions.Checked(options), cancellationToken);

    /// <summary>Describes one path; null: absent.</summary>
    public virtual ValueTask<RemoteEntry?> GetEntryAsync(string path, CancellationToken cancellationToken = default) =>
        UseSessionAsync("stat", path, static (session, full, token) => session.GetEntryAsync(full, token), cancellationToken);

    /// <summary>Returns whether a path exists, with an entry of any type.</summary>
    /// <exception cref="TransferException">Neither existence nor absence could be proved.</exception>
    public virtual async ValueTask<bool> ExistsAsync(string path, CancellationToken cancellationToken = default) =>
        await GetEntryAsync(path, cancellationToken).ConfigureAwait(false) is not null;

    /// <summary>Creates a directory, with its parents by default; an existing one is no error.</summary>
    /// <exception cref="TransferException">The directory could not be created.</exception>
    public virtual async ValueTask CreateDirectoryAsync(string path, bool parents = true, CancellationToken cancellationToken = default)
    {
        var full = Resolve(path);
        await Engine.ControlAsync("mkdir", async (session, token) =>
        {
            if (parents) return await RemoteDirectories.EnsureAsync(session, full, token).ConfigureAwait(false);
            var outcome = (await session.CreateDirectoriesAsync([full], token).ConfigureAwait(false))[0];
            return outcome.Error is null ? outcome.Created : throw outcome.Error;
        }, retry: true, cancellationToken, full).ConfigureAwait(false);
    }

    /// <summary>
    /// Deletes a file, a link, or a directory: an empty one, or a whole tree if requested. Links are deleted, not followed.
    /// </summary>
    /// <returns>True: an entry was deleted; false: none existed.</returns>
    /// <exception cref="TransferException">
    /// The path could not be deleted, or an entry below; the rest was tried. <see cref="StartDelete"/> names them all.
    /// </exception>
    public virtual async ValueTask<bool> DeleteAsync(string path, bool recursive = false, CancellationToken cancellationToken = default) =>
        (await TreeJobs.WholeAsync(StartDelete(path, recursive, false, cancellationToken)).ConfigureAwait(false)).Deleted > 0;

    /// <summary>Renames a file or directory.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Exists"/>: the target exists and may not be replaced.</exception>
    public virtual ValueTask MoveAsync(string from, string to, bool overwrite = false, CancellationToken cancellationToken = default) =>
        MoveJob.RunAsync(Engine, Resolve(from), Resolve(to), overwrite, cancellationToken);

    /// <summary>Sets a file's modification time or permissions, as far as the server can (see <see cref="Features"/>).</summary>
    /// <exception cref="TransferException">No such file, or no permission.</exception>
    public virtual async ValueTask SetMetadataAsync(string path, FileMetadata metadata, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(metadata);
        await UseSessionAsync("set metadata", path, async (session, full, token) =>
        {
            await session.SetMetadataAsync(full, metadata, token).ConfigureAwait(false);
            return true;
        }, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Changes permissions like chmod(1), of a file or a folder, and of a whole tree if requested. A path that is a link stands for the
    /// link's target; links in folders are not changed.
    /// </summary>
    /// <param name="path">The file or folder.</param>
    /// <param name="change">The change. Clauses need a server that shows present permissions.</param>
    /// <param name="recursive">Whether everything below is changed too.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <returns>The number of files and folders that were changed.</returns>
    /// <exception cref="TransferException">
    /// The path could not be changed, or an entry below; the rest was tried. <see cref="StartChangeMode"/> names them all.
    /// <see cref="TransferError.Unsupported"/>: the server does not set permissions (over FTP: <c>SITE CHMOD</c>), or does not show them.
    /// </exception>
    public virtual async ValueTask<long> ChangeModeAsync(
        string path, ModeChange change, bool recursive = false, CancellationToken cancellationToken = default) =>
        (await TreeJobs.WholeAsync(StartChangeMode(path, change, recursive, false, cancellationToken)).ConfigureAwait(false)).ModesChanged;

    /// <summary>Has the server compute a hash; null: an algorithm not offered (see <see cref="TransferFeatures.Hashes"/>).</summary>
    /// <param name="path">The file.</param>
    /// <param name="algorithm">The common name: <c>SHA-256</c>, <c>MD5</c>, <c>CRC32</c>.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <returns>Lower-case hex digits.</returns>
    public virtual ValueTask<string?> GetHashAsync(string path, string algorithm, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(algorithm);
        return UseSessionAsync("hash", path, (session, full, token) => session.HashAsync(full, algorithm, token), cancellationToken);
    }

    /// <summary>Returns the space of the file system that holds a path; null: the server does not report it.</summary>
    /// <exception cref="TransferException">No such path, or no permission.</exception>
    public virtual ValueTask<StorageSpace?> GetSpaceAsync(string path = "", CancellationToken cancellationToken = default) =>
        UseSessionAsync("space", path, static (session, full, token) => session.GetSpaceAsync(full, token), cancellationToken);

    /// <summary>Runs one request on a leased session, for features of one protocol only.</summary>
    /// <param name="operation">The operation's name in traces and metrics.</param>
    /// <param name="path">The path concerned, as the caller gave it.</param>
    /// <param name="request">
    /// Receives the session and the absolute path. Must be safe to run again: a session that was lost while idle is replaced once.
    /// </param>
    /// <param name="cancellationToken">Cancels.</param>
    protected ValueTask<T> UseSessionAsync<T>(
        string operation, string path, Func<TransferSession, string, CancellationToken, ValueTask<T>> request,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        var full = Resolve(path);
        return Engine.ControlAsync(operation, (session, token) => request(session, full, token), retry: true, cancellationToken, full);
    }
}
