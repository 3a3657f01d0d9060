using Transfer.Modes;
using Transfer.Replacing;

namespace Transfer.Sessions;

/// <summary>
/// One log-in at a server: supplied by a protocol, kept by the pool. Used by one caller at a time. Paths are
/// absolute (see <see cref="RemotePath"/>). An operation that throws <see cref="TransferConnectionException"/>, or is cancelled in
/// mid-exchange, makes the session unusable (<see cref="Usable"/>); after any other exception the session is usable.
/// </summary>
public abstract class TransferSession : IAsyncDisposable
{
    /// <summary>
    /// False once the session is broken, closed by the peer, or cancelled in mid-exchange: then the pool discards the session.
    /// </summary>
    public abstract bool Usable { get; }

    /// <summary>The features of the server.</summary>
    public abstract TransferFeatures Features { get; }

    /// <summary>The server as this session found it. Optional: by default only the name of its software.</summary>
    public virtual ServerReport Describe() => new() { Server = Features.Server };

    /// <summary>
    /// Takes items from <paramref name="work"/> and completes each exactly once, in any overlap that the protocol allows, until the source
    /// gives none. Returns normally, with <see cref="Usable"/> false, when the session was lost: the outcomes hold the rest. When
    /// <paramref name="abort"/> fires, every taken item is still completed before the method throws
    /// <see cref="OperationCanceledException"/>.
    /// </summary>
    public abstract Task RunAsync(IWorkSource work, CancellationToken abort);

    /// <summary>
    /// Announces that one item of this kind will come soon: steps that take round trips and suit any such item may be done meanwhile. Does
    /// not wait, and nothing is lost when another call comes first.
    /// </summary>
    public virtual void GetReady(WorkKind kind)
    {
    }

    /// <summary>
    /// Ends the session at once, from any thread: operations under way end as if the connection had been lost at this moment, for that
    /// reason. Optional for a session that never waits for a peer.
    /// </summary>
    public virtual void Break(TransferConnectionException reason)
    {
    }

    /// <summary>
    /// Tests, with a few bytes that this session and another one write into one file, whether large files can go up in segments, in a
    /// protocol whose servers do not announce that (<see cref="TransferClient.DividesUploads"/> is false). Called once a client, and only
    /// if segments are requested. Upon success the engine sends a file's first bytes alone, once, before any other session writes into the
    /// file.
    /// </summary>
    /// <param name="another">Returns another session of the same client; null: there is none. The caller returns that to the pool.</param>
    /// <param name="temporary">
    /// Returns the name for writing; called only when a write is certain. The caller deletes the file afterwards.
    /// </param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <returns>Null: segments are possible. Else why not.</returns>
    /// <exception cref="TransferException">The test could not be made: the next one may succeed.</exception>
    public virtual ValueTask<string?> TrySegmentsAsync(
        Func<CancellationToken, ValueTask<TransferSession?>> another, Func<CancellationToken, ValueTask<string>> temporary,
        CancellationToken cancellationToken) =>
        new("files are sent whole and in order.");

    /// <summary>
    /// Lists one directory, without <c>.</c> and <c>..</c>, in bounded memory. Ending an enumeration early may cost the session.
    /// </summary>
    /// <param name="directory">The directory.</param>
    /// <param name="report">Collects the gaps until the listing ends. Decisions by absence depend on it.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <exception cref="TransferException">The directory cannot be listed.</exception>
    public abstract IAsyncEnumerable<RemoteEntry> ListAsync(string directory, ListingReport report, CancellationToken cancellationToken);

    /// <summary>Describes one path; null: proved absent.</summary>
    /// <exception cref="TransferException">
    /// Neither existence nor absence could be proved: a refused look is no proof of absence.
    /// </exception>
    public abstract ValueTask<RemoteEntry?> GetEntryAsync(string path, CancellationToken cancellationToken);

    /// <summary>Describes several paths, together where the protocol can. One outcome a path, in order.</summary>
    public virtual async ValueTask<IReadOnlyList<EntryOutcome>> GetEntriesAsync(IReadOnlyList<string> paths,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(paths);
        var outcomes = new EntryOutcome[paths.Count];
        for (var i = 0; i < outcomes.Length; i++)
        {
            try
            {
                outcomes[i] = new() { Entry = await GetEntryAsync(paths[i], cancellationToken).ConfigureAwait(false) };
            }
            catch (TransferException e) when (e is not TransferConnectionException)
            {
                outcomes[i] = new() { Error = e };
            }
        }
        return outcomes;
    }

    /// <summary>
    /// Distinguishes directories from links that a listing, or <see cref="GetEntryAsync"/>, shows as directories; called before a deletion
    /// inside one. One proof an entry, in order. Not for sessions that show every link as <see cref="RemoteEntryType.Link"/>.
    /// </summary>
    /// <param name="entries">Entries of the type <see cref="RemoteEntryType.Directory"/>, of one directory or several.</param>
    /// <param name="cancellationToken">Cancels.</param>
    public virtual ValueTask<IReadOnlyList<DirectoryProof>> ProveDirectoriesAsync(IReadOnlyList<RemoteEntry> entries,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(entries);
        return new([.. entries.Select(_ => DirectoryProof.Child)]);
    }

    /// <summary>
    /// Describes one path, and proves a directory (<see cref="ProveDirectoriesAsync"/>), in one flight where the protocol can.
    /// </summary>
    /// <exception cref="TransferException">As <see cref="GetEntryAsync"/>.</exception>
    public virtual async ValueTask<ProvedEntry> GetProvedEntryAsync(string path, CancellationToken cancellationToken)
    {
        var entry = await GetEntryAsync(path, cancellationToken).ConfigureAwait(false);
        return new(entry, entry is { Type: RemoteEntryType.Directory }
            ? (await ProveDirectoriesAsync([entry], cancellationToken).ConfigureAwait(false))[0] : DirectoryProof.Unknown);
    }

    /// <summary>Test files that the session has created and not deleted: when the session is lost, another one deletes them.</summary>
    public virtual IReadOnlyCollection<string> OwnFiles => [];

    /// <summary>Creates directories together, parents before children; an existing one is no error. One outcome a path, in order.</summary>
    public abstract ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<string> paths,
        CancellationToken cancellationToken);

    /// <summary>
    /// As <see cref="CreateDirectoriesAsync(IReadOnlyList{string}, CancellationToken)"/>, each with the permissions of its source without
    /// the server's umask; null: the usual ones. Optional for protocols that create only with the usual ones.
    /// </summary>
    public virtual ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<string> paths,
        IReadOnlyList<UnixFileMode?> modes, CancellationToken cancellationToken) =>
        CreateDirectoriesAsync(paths, cancellationToken);

    /// <summary>
    /// Deletes files together. One result a path, in order: null: gone now; else the error (<see cref="TransferError.NotFound"/> for an
    /// absent file).
    /// </summary>
    public abstract ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths,
        CancellationToken cancellationToken);

    /// <summary>
    /// Removes empty directories together, children before parents. One result a path as in <see cref="DeleteFilesAsync"/>.
    /// </summary>
    public abstract ValueTask<IReadOnlyList<TransferException?>> RemoveDirectoriesAsync(IReadOnlyList<string> paths,
        CancellationToken cancellationToken);

    /// <summary>
    /// Deletes files together that were found below a directory, as <see cref="DeleteFilesAsync"/>. A session of a file system refuses if a
    /// directory between the two has become a link since: files behind that are not the job's. For a server only a path can be sent.
    /// </summary>
    /// <param name="root">The directory, which may be reached through links.</param>
    /// <param name="paths">Files below, at any depth.</param>
    /// <param name="cancellationToken">Cancels.</param>
    public virtual ValueTask<IReadOnlyList<TransferException?>> DeleteFilesBelowAsync(string root, IReadOnlyList<string> paths,
        CancellationToken cancellationToken) => DeleteFilesAsync(paths, cancellationToken);

    /// <summary>
    /// Removes empty directories together that were found below another, as <see cref="RemoveDirectoriesAsync"/> and
    /// <see cref="DeleteFilesBelowAsync"/>.
    /// </summary>
    /// <inheritdoc cref="DeleteFilesBelowAsync"/>
    public virtual ValueTask<IReadOnlyList<TransferException?>> RemoveDirectoriesBelowAsync(string root, IReadOnlyList<string> paths,
        CancellationToken cancellationToken) => RemoveDirectoriesAsync(paths, cancellationToken);

    /// <summary>
    /// Finds links that <see cref="ListAsync"/> does not name in a directory that holds nothing else: the server refuses to remove such a
    /// directory, which looks empty. Optional where listings name every link.
    /// </summary>
    public virtual ValueTask<IReadOnlyList<string>> FindHiddenLinksAsync(string directory, CancellationToken cancellationToken) => new([]);

    /// <summary>
    /// Sets a file's metadata, if any, and gives the file another path: by a <see cref="Replacement"/>, so that no refusal of the server
    /// loses anything. A temporary file that cannot have its name is deleted.
    /// </summary>
    /// <exception cref="TransferException">
    /// The rename failed. <see cref="TransferError.Exists"/>: the target is in the way. <see cref="TransferException.Kept"/> names files
    /// that had to stay under other names.
    /// </exception>
    public abstract ValueTask RenameAsync(Renaming renaming, CancellationToken cancellationToken);

    /// <summary>Sets the metadata of a file that is about to be renamed.</summary>
    /// <exception cref="TransferException">A file that is known to have its present path refuses the metadata.</exception>
    protected async ValueTask SetBeforeRenameAsync(Renaming renaming, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(renaming);
        if (renaming.Metadata is not { } metadata) return;
        try
        {
            await SetMetadataAsync(renaming.From, metadata, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when (renaming.InDoubt && e is not TransferConnectionException)
        {
            // Most likely the file has its new path, and had its metadata before that: the next looks will show.
        }
    }

    /// <summary>
    /// Renames files, together where the protocol can. One result a file, in order: null: renamed; else the error, as of
    /// <see cref="RenameAsync"/>.
    /// </summary>
    public virtual async ValueTask<IReadOnlyList<TransferException?>> RenameFilesAsync(IReadOnlyList<Renaming> renamings,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(renamings);
        var errors = new TransferException?[renamings.Count];
        for (var i = 0; i < errors.Length; i++)
        {
            try
            {
                await RenameAsync(renamings[i], cancellationToken).ConfigureAwait(false);
            }
            catch (TransferException e) when (e is not TransferConnectionException)
            {
                errors[i] = e;
            }
        }
        return errors;
    }

    /// <summary>
    /// Flushes the name of a published file with <see cref="WorkItem.FlushToDisk"/> to the disk. Does nothing where the protocol has no
    /// such command.
    /// </summary>
    public virtual ValueTask FlushNameAsync(string path, CancellationToken cancellationToken) => default;

    /// <summary>
    /// Gives a complete file that is about to get its name the permissions by <see cref="FinalMode"/>. Files of work items have them
    /// already.
    /// </summary>
    /// <returns>False: the permissions of a replaced file could not be kept. That is no failure.</returns>
    public virtual async ValueTask<bool> SettleModeAsync(ModeSettlement settlement, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(settlement);
        if (!Features.SetsMode) return true;
        string[] paths = settlement.Replaced is { } replaced ? [settlement.Path, replaced] : [settlement.Path];
        var looks = await GetEntriesAsync(paths, cancellationToken).ConfigureAwait(false);
        // The file was created with usual permissions, or with fewer where the protocol could: the decision adds none.
        if (looks[0].Entry is not { Mode: { } created } now) return true;
        var there = paths.Length == 1 ? null : looks[1].Entry;
        if (there is { Type: RemoteEntryType.Link })
            there = (await FollowLinksAsync([paths[1]], cancellationToken).ConfigureAwait(false))[0].Entry;
        ReplacedFile? old = there is { Type: RemoteEntryType.File, Mode: { } mode }
            ? new(mode, there.Group is { } group && group == now.Group) : null;
        if (old is null && settlement.KeepsOwn) return true;
        if (FinalMode.Decide(null, old, settlement.Source, FinalMode.UmaskOf(created)) is not { } final || final == created) return true;
        var refused = (await SetModesAsync([new(settlement.Path, final)], cancellationToken).ConfigureAwait(false))[0];
        return refused is null || old is null;
    }

    /// <summary>Sets the metadata that the server can set, and no other (see <see cref="Features"/>).</summary>
    public abstract ValueTask SetMetadataAsync(string path, FileMetadata metadata, CancellationToken cancellationToken);

    /// <summary>
    /// Sets permissions together, behind links. One result a setting, in order: null: set; else the error
    /// (<see cref="TransferError.Unsupported"/> where the server has no permissions).
    /// </summary>
    public virtual async ValueTask<IReadOnlyList<TransferException?>> SetModesAsync(IReadOnlyList<ModeSetting> settings,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(settings);
        var errors = new TransferException?[settings.Count];
        for (var i = 0; i < errors.Length; i++)
        {
            try
            {
                if (!Features.SetsMode) throw NoModes(settings[i].Path);
                await SetMetadataAsync(settings[i].Path, new FileMetadata { Mode = settings[i].Mode },
                    cancellationToken).ConfigureAwait(false);
            }
            catch (TransferException e) when (e is not TransferConnectionException)
            {
                errors[i] = e;
            }
        }
        return errors;
    }

    /// <summary>Makes symbolic links together; their directories exist. One result a link, in order: null: made; else the error.</summary>
    public virtual ValueTask<IReadOnlyList<TransferException?>> CreateLinksAsync(IReadOnlyList<SymbolicLink> links,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(links);
        return new([.. links.Select(link => NoLinks(link.Path))]);
    }

    /// <summary>
    /// Reads the texts of symbolic links together: entries with <see cref="RemoteEntry.LinkTarget"/>. One outcome a path, in order.
    /// </summary>
    public virtual ValueTask<IReadOnlyList<LinkOutcome>> ReadLinksAsync(IReadOnlyList<string> paths, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(paths);
        return new([.. paths.Select(path => new LinkOutcome { Error = NoLinks(path) })]);
    }

    /// <summary>
    /// Follows symbolic links together, and returns the real entry of each path, link or not. One outcome a path, in order.
    /// </summary>
    public virtual ValueTask<IReadOnlyList<LinkOutcome>> FollowLinksAsync(IReadOnlyList<string> paths, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(paths);
        return new([.. paths.Select(path => new LinkOutcome { Error = NoLinks(path) })]);
    }

    /// <summary>
    /// Copies a file inside the server, without moving bytes here. Returns the bytes copied and the check made; null: the server can't.
    /// </summary>
    /// <exception cref="TransferException">The copy failed; no part is left.</exception>
    public virtual ValueTask<WorkOutcome.Done?> CopyFileAsync(FileCopy copy, CancellationToken cancellationToken) =>
        new((WorkOutcome.Done?)null);

    /// <summary>Computes a hash at the server, in lower-case hex; null: an algorithm not offered.</summary>
    public abstract ValueTask<string?> HashAsync(string path, string algorithm, CancellationToken cancellationToken);

    /// <summary>Returns the space of the file system that holds a path; null: the server does not report it.</summary>
    public virtual ValueTask<StorageSpace?> GetSpaceAsync(string path, CancellationToken cancellationToken) => new((StorageSpace?)null);

    /// <summary>The source of the hashes of <see cref="HashAsync"/>.</summary>
    public virtual HashSource HashSource => HashSource.Server;

    /// <summary>Closes the session, with a goodbye if usable, within a short time.</summary>
    public abstract ValueTask DisposeAsync();

    /// <summary>The error for servers that set no permissions.</summary>
    protected static TransferException NoModes(string path) =>
        new(TransferError.Unsupported, $"{path}: this server sets no permissions.") { RemotePath = path };

    private static TransferException NoLinks(string path) =>
        new(TransferError.Unsupported, $"{path}: there are no symbolic links over this protocol.") { RemotePath = path };
}
