using System.Runtime.CompilerServices;
using Transfer.Diagnostics;
using Transfer.Engine.Files;
using Transfer.Engine.Operations;
using Transfer.Engine.Trees;
using Transfer.Listings;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer;

public abstract partial class TransferClient
{
    /// <summary>
    /// Lists a directory as it comes, in no order; names that no directory can hold (<c>.</c>, <c>..</c>, a slash, NUL) are left out
    /// with a warning in the log.
    /// </summary>
    /// <exception cref="TransferException">
    /// Thrown while enumerating: no such directory, no permission, or the connection was lost. Thrown at the end, when every entry that was listed has been given:
    /// <see cref="TransferError.Partial"/>, the listing lacks entries or may lack some; not with <see cref="ListOptions.AcceptPartial"/>.
    /// </exception>
    public virtual IAsyncEnumerable<RemoteEntry> ListAsync(string path, ListOptions? options = null, CancellationToken cancellationToken = default) =>
        EnumerateAsync(Resolve(path), options ?? new ListOptions(), cancellationToken);

    /// <summary>Describes one path; null when it does not exist.</summary>
    public virtual async ValueTask<RemoteEntry?> GetEntryAsync(string path, CancellationToken cancellationToken = default)
    {
        var full = Resolve(path);
        return await Engine.ControlAsync("stat", (session, token) => session.GetEntryAsync(full, token), retry: true, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Tells whether a path exists, whatever is there.</summary>
    /// <exception cref="TransferException">It could not be found out.</exception>
    public virtual async ValueTask<bool> ExistsAsync(string path, CancellationToken cancellationToken = default) =>
        await GetEntryAsync(path, cancellationToken).ConfigureAwait(false) is not null;

    /// <summary>Creates a directory, and those above it when asked; one that exists already is not an error.</summary>
    /// <exception cref="TransferException">It could not be created.</exception>
    public virtual async ValueTask CreateDirectoryAsync(string path, bool parents = true, CancellationToken cancellationToken = default)
    {
        var full = Resolve(path);
        await Engine.ControlAsync("mkdir", async (session, token) =>
        {
            if (parents) return await RemoteDirectories.EnsureAsync(session, full, token).ConfigureAwait(false);
            var outcome = (await session.CreateDirectoriesAsync([full], token).ConfigureAwait(false))[0];
            return outcome.Error is null ? outcome.Created : throw outcome.Error;
        }, retry: true, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Deletes a file, a link, or a directory: an empty one, or with all that is in it when asked. Links are deleted, not followed.</summary>
    /// <returns>True when something was deleted, false when nothing was there.</returns>
    /// <exception cref="TransferException">Something could not be deleted; the rest was tried.</exception>
    public virtual async ValueTask<bool> DeleteAsync(string path, bool recursive = false, CancellationToken cancellationToken = default)
    {
        var full = Resolve(path);
        return await Engine.ControlAsync(
            "delete", (session, token) => new RemoteDeletion(session, Engine.Listings, Engine.Logger).DeleteAsync(full, recursive, token), retry: false, cancellationToken)
            .ConfigureAwait(false);
    }

    /// <summary>Renames a file or directory.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Exists"/>: the target exists and may not be replaced.</exception>
    public virtual async ValueTask MoveAsync(string from, string to, bool overwrite = false, CancellationToken cancellationToken = default)
    {
        var (source, target) = (Resolve(from), Resolve(to));
        await MoveJob.RunAsync(Engine, source, target, overwrite, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Sets a file's modification time or permissions where the server can (see <see cref="Features"/>); what it can't is left alone.</summary>
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
    /// Changes permissions as chmod(1) does, of a file or a folder, and of all that is in it when asked. A link that is named is what it leads to; links in folders are left as they are.
    /// </summary>
    /// <param name="path">The file or folder.</param>
    /// <param name="change">The change. One of clauses needs a server that tells present permissions.</param>
    /// <param name="recursive">All that is below it too.</param>
    /// <param name="items">Told of every file and folder as it is changed, or could not be; null: nobody is.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <returns>The number of files and folders that were changed.</returns>
    /// <exception cref="TransferException">
    /// Something could not be changed; the rest was tried. <see cref="TransferError.Unsupported"/>: the server sets no permissions (over FTP: <c>SITE CHMOD</c>), or does not tell them.
    /// </exception>
    public virtual async ValueTask<long> ChangeModeAsync(
        string path, ModeChange change, bool recursive = false, IProgress<ItemResult>? items = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(change);
        var full = Resolve(path);
        return await Engine.ControlAsync(
            "chmod", (session, token) => new RemoteModes(session, change, items, Engine.Listings, Engine.Logger).RunAsync(full, recursive, token), retry: false, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Has the server compute a hash; null when it does not offer the algorithm (see <see cref="TransferFeatures.Hashes"/>).</summary>
    /// <param name="path">The file.</param>
    /// <param name="algorithm">Its common name: <c>SHA-256</c>, <c>MD5</c>, <c>CRC32</c>.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <returns>Lower-case hex digits.</returns>
    public virtual async ValueTask<string?> GetHashAsync(string path, string algorithm, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(algorithm);
        return await UseSessionAsync("hash", path, (session, full, token) => session.HashAsync(full, algorithm, token), cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Runs one request on a leased session, for what only one protocol has.</summary>
    /// <param name="operation">Its name in traces and metrics.</param>
    /// <param name="path">The path concerned, as the caller gave it.</param>
    /// <param name="request">Gets the session and the absolute path. It must be safe to run again: a session that was lost while idle is replaced once.</param>
    /// <param name="cancellationToken">Cancels.</param>
    protected ValueTask<T> UseSessionAsync<T>(
        string operation, string path, Func<TransferSession, string, CancellationToken, ValueTask<T>> request, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        var full = Resolve(path);
        return Engine.ControlAsync(operation, (session, token) => request(session, full, token), retry: true, cancellationToken);
    }

    private async IAsyncEnumerable<RemoteEntry> EnumerateAsync(string path, ListOptions options, [EnumeratorCancellation] CancellationToken ct)
    {
        TransferException? gap = null;
        using var share = Engine.Listings.Open(path);
        var directories = new Queue<string>([path]);
        while (directories.TryDequeue(out var directory))
        {
            if (!ReferenceEquals(directory, path)) share.Return(ListingShare.CostOf(directory));
            var dropped = false;
            var listing = new BufferedListing(Engine, directory, ct);
            await using (listing.ConfigureAwait(false))
            {
                await foreach (var entry in listing.ReadAsync(ct).ConfigureAwait(false))
                {
                    if (!ListedNames.IsUsable(directory, entry, Engine.Logger))
                    {
                        dropped |= ListedNames.NameOf(directory, entry) is not ("." or "..");
                        continue;
                    }
                    if (options.Recursive && entry.Type == RemoteEntryType.Directory)
                    {
                        share.Take(entry.Path);
                        if (PlannedDirectory.RefuseLength(entry.Path) is { } tooLong) throw tooLong;
                        directories.Enqueue(entry.Path);
                    }
                    yield return entry;
                }
                if (dropped) listing.Report.AddGap("a name in it is none that a directory can hold");
                if (listing.Report.ToError(directory) is { } lacking)
                {
                    Log.ListingPartial(Engine.Logger, directory, lacking.Message);
                    gap ??= lacking;
                }
            }
        }
        if (gap is not null && !options.AcceptPartial) throw gap;
    }
}
