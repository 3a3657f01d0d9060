using Transfer.Modes;
using Transfer.Replacing;

namespace Transfer.Sessions;

/// <summary>
/// One log-in at a server: what a protocol supplies and the pool keeps. Used by one caller at a time. Paths are
/// absolute (see <see cref="RemotePath"/>). An operation that throws <see cref="TransferConnectionException"/>, or is cancelled in
/// mid-exchange, leaves the session not <see cref="Usable"/>; any other exception leaves it usable.
/// </summary>
public abstract class TransferSession : IAsyncDisposable
{
    /// <summary>False once the session is broken, closed by the peer, or was cancelled in mid-exchange: it is then discarded.</summary>
    public abstract bool Usable { get; }

    /// <summary>What the server can do.</summary>
    public abstract TransferFeatures Features { get; }

    /// <summary>
    /// Takes items from <paramref name="work"/> and completes each exactly once, in whatever overlap the protocol allows, until the source
    /// gives none. Returns normally, with <see cref="Usable"/> false, when the session was lost: the outcomes say the rest.
    /// When <paramref name="abort"/> fires, every taken item is still completed before the method throws <see cref="OperationCanceledException"/>.
    /// </summary>
    public abstract Task RunAsync(IWorkSource work, CancellationToken abort);

    /// <summary>
    /// One item of this kind will come soon: what takes round trips and does not depend on which one it is may be done meanwhile. Does not wait, and
    /// nothing is lost when another call comes first.
    /// </summary>
    public virtual void GetReady(WorkKind kind)
    {
    }

    /// <summary>
    /// Ends the session at once, from any thread: what is being done on it ends as if the connection had been lost in this moment, for that reason.
    /// A session that never waits for a peer need not be able to.
    /// </summary>
    public virtual void Break(TransferConnectionException reason)
    {
    }

    /// <summary>
    /// Finds out, with a few bytes that this session and another one write into one file, whether a large one can go up in segments, in a protocol whose servers cannot say so
    /// (<see cref="TransferClient.DividesUploads"/> is false). Asked once a client, and only where segments are asked for. When they can, the engine has a file's first
    /// bytes sent alone, once, before anybody else writes into it.
    /// </summary>
    /// <param name="another">Gives another session of the same client; null: there is none. The caller gives it back.</param>
    /// <param name="temporary">Gives the name to write under; asked for when it is certain that something will be. The caller deletes what is there afterwards.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <returns>Null: they can. Else why not.</returns>
    /// <exception cref="TransferException">It could not be tried: that says nothing about the next time.</exception>
    public virtual ValueTask<string?> TrySegmentsAsync(
        Func<CancellationToken, ValueTask<TransferSession?>> another, Func<CancellationToken, ValueTask<string>> temporary, CancellationToken cancellationToken) =>
        new("files are sent whole and in order.");

    /// <summary>Lists one directory, without <c>.</c> and <c>..</c>, in bounded memory. An enumeration that is left early may cost the session.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="report">Takes what the listing lacks, by its end. Whoever decides by absence reads it.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <exception cref="TransferException">It cannot be listed.</exception>
    public abstract IAsyncEnumerable<RemoteEntry> ListAsync(string directory, ListingReport report, CancellationToken cancellationToken);

    /// <summary>Describes one path; null when it is proved not to exist.</summary>
    /// <exception cref="TransferException">Neither could be found out: a refused look is no proof of absence.</exception>
    public abstract ValueTask<RemoteEntry?> GetEntryAsync(string path, CancellationToken cancellationToken);

    /// <summary>Describes several paths, together where the protocol can. One outcome a path, in order.</summary>
    public virtual async ValueTask<IReadOnlyList<EntryOutcome>> GetEntriesAsync(IReadOnlyList<string> paths, CancellationToken cancellationToken)
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
    /// Tells directories from links that a listing, or <see cref="GetEntryAsync"/>, shows as directories: asked before anything is deleted in one. One proof an entry, in order.
    /// A session that shows every link as <see cref="RemoteEntryType.Link"/> need not override it.
    /// </summary>
    /// <param name="directory">The directory that holds the entries.</param>
    /// <param name="entries">Entries of the type <see cref="RemoteEntryType.Directory"/>.</param>
    /// <param name="cancellationToken">Cancels.</param>
    public virtual ValueTask<IReadOnlyList<DirectoryProof>> ProveDirectoriesAsync(string directory, IReadOnlyList<RemoteEntry> entries, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(entries);
        return new([.. entries.Select(_ => DirectoryProof.Child)]);
    }

    /// <summary>Files that the session has made for itself, to find something out, and has not deleted: when it is lost, another session deletes them.</summary>
    public virtual IReadOnlyCollection<string> OwnFiles => [];

    /// <summary>Creates directories together, parents before children; one that exists already is not an error. One outcome a path, in order.</summary>
    public abstract ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<string> paths, CancellationToken cancellationToken);

    /// <summary>
    /// As <see cref="CreateDirectoriesAsync(IReadOnlyList{string}, CancellationToken)"/>, each with the permissions of its source without the server's umask; null: those that are usual. A session of a
    /// protocol that creates with the usual ones only need not override it.
    /// </summary>
    public virtual ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<string> paths, IReadOnlyList<UnixFileMode?> modes, CancellationToken cancellationToken) =>
        CreateDirectoriesAsync(paths, cancellationToken);

    /// <summary>Deletes files together. One entry a path, in order: null when it is gone now, else why not (<see cref="TransferError.NotFound"/> when it never was).</summary>
    public abstract ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths, CancellationToken cancellationToken);

    /// <summary>Removes empty directories together, children before parents. One entry a path as in <see cref="DeleteFilesAsync"/>.</summary>
    public abstract ValueTask<IReadOnlyList<TransferException?>> RemoveDirectoriesAsync(IReadOnlyList<string> paths, CancellationToken cancellationToken);

    /// <summary>
    /// Deletes files together that were found below a directory, as <see cref="DeleteFilesAsync"/>. A session of a file system refuses where one of the directories between the two has become
    /// a link since: what is behind that is another's. For a server a path is all that can be sent.
    /// </summary>
    /// <param name="root">The directory, which may be reached through links.</param>
    /// <param name="paths">Files in it, at any depth.</param>
    /// <param name="cancellationToken">Cancels.</param>
    public virtual ValueTask<IReadOnlyList<TransferException?>> DeleteFilesBelowAsync(string root, IReadOnlyList<string> paths, CancellationToken cancellationToken) => DeleteFilesAsync(paths, cancellationToken);

    /// <summary>Removes empty directories together that were found below another, as <see cref="RemoveDirectoriesAsync"/> and <see cref="DeleteFilesBelowAsync"/>.</summary>
    /// <inheritdoc cref="DeleteFilesBelowAsync"/>
    public virtual ValueTask<IReadOnlyList<TransferException?>> RemoveDirectoriesBelowAsync(string root, IReadOnlyList<string> paths, CancellationToken cancellationToken) => RemoveDirectoriesAsync(paths, cancellationToken);

    /// <summary>
    /// Links in a directory that <see cref="ListAsync"/> does not name, where they are all that the directory holds: the server refuses to remove such a directory, which looks empty. A session
    /// whose listings name every link need not override it.
    /// </summary>
    public virtual ValueTask<IReadOnlyList<string>> FindHiddenLinksAsync(string directory, CancellationToken cancellationToken) => new([]);

    /// <summary>
    /// Sets a file's metadata, where there is any to set, and gives it another path: by a <see cref="Replacement"/>, so that nothing is lost whatever the server refuses.
    /// A temporary file that cannot have its name is deleted.
    /// </summary>
    /// <exception cref="TransferException">
    /// It has not got its path. <see cref="TransferError.Exists"/>: the target is in the way. <see cref="TransferException.Kept"/> names what had to be left under other names.
    /// </exception>
    public abstract ValueTask RenameAsync(Renaming renaming, CancellationToken cancellationToken);

    /// <summary>Sets the metadata of a file that is about to be renamed.</summary>
    /// <exception cref="TransferException">It cannot be set, of a file that is known to have its present path.</exception>
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
            // The file has its new path already, most likely, and had its metadata before: the looks that follow tell.
        }
    }

    /// <summary>Renames files, together where the protocol can. One entry a file, in order: null when it has its new path, else why not, as of <see cref="RenameAsync"/>.</summary>
    public virtual async ValueTask<IReadOnlyList<TransferException?>> RenameFilesAsync(IReadOnlyList<Renaming> renamings, CancellationToken cancellationToken)
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
    /// Brings the name of a file that was published, and is to be on the disk (<see cref="WorkItem.FlushToDisk"/>), there too. Does nothing where the protocol has no
    /// such thing.
    /// </summary>
    public virtual ValueTask FlushNameAsync(string path, CancellationToken cancellationToken) => default;

    /// <summary>
    /// Gives a file that is whole, and about to get its own name, the permissions that <see cref="FinalMode"/> decides on. Files of which a session is told by a work item have them already.
    /// </summary>
    /// <returns>False: something is replaced, and its permissions could not be kept. That is no failure.</returns>
    public virtual async ValueTask<bool> SettleModeAsync(ModeSettlement settlement, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(settlement);
        if (!Features.SetsMode) return true;
        string[] paths = settlement.Replaced is { } replaced ? [settlement.Path, replaced] : [settlement.Path];
        var looks = await GetEntriesAsync(paths, cancellationToken).ConfigureAwait(false);
        // Created as all new files are, unless the protocol could ask for less: then what is decided on is no more than that.
        if (looks[0].Entry is not { Mode: { } created } now) return true;
        var there = paths.Length == 1 ? null : looks[1].Entry;
        if (there is { Type: RemoteEntryType.Link }) there = (await FollowLinksAsync([paths[1]], cancellationToken).ConfigureAwait(false))[0].Entry;
        ReplacedFile? old = there is { Type: RemoteEntryType.File, Mode: { } mode } ? new(mode, there.Group is { } group && group == now.Group) : null;
        if (old is null && settlement.KeepsOwn) return true;
        if (FinalMode.Decide(null, old, settlement.Source, FinalMode.UmaskOf(created)) is not { } final || final == created) return true;
        var refused = (await SetModesAsync([new(settlement.Path, final)], cancellationToken).ConfigureAwait(false))[0];
        return refused is null || old is null;
    }

    /// <summary>Sets what the server can set; what it cannot is left alone (see <see cref="Features"/>).</summary>
    public abstract ValueTask SetMetadataAsync(string path, FileMetadata metadata, CancellationToken cancellationToken);

    /// <summary>Sets permissions together, behind links. One entry a setting, in order: null when it has them now, else why not (<see cref="TransferError.Unsupported"/> where the server has no such thing).</summary>
    public virtual async ValueTask<IReadOnlyList<TransferException?>> SetModesAsync(IReadOnlyList<ModeSetting> settings, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(settings);
        var errors = new TransferException?[settings.Count];
        for (var i = 0; i < errors.Length; i++)
        {
            try
            {
                if (!Features.SetsMode) throw NoModes(settings[i].Path);
                await SetMetadataAsync(settings[i].Path, new FileMetadata { Mode = settings[i].Mode }, cancellationToken).ConfigureAwait(false);
            }
            catch (TransferException e) when (e is not TransferConnectionException)
            {
                errors[i] = e;
            }
        }
        return errors;
    }

    /// <summary>Makes symbolic links together; their directories exist. One entry a link, in order: null when it is there now, else why not.</summary>
    public virtual ValueTask<IReadOnlyList<TransferException?>> CreateLinksAsync(IReadOnlyList<SymbolicLink> links, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(links);
        return new([.. links.Select(link => NoLinks(link.Path))]);
    }

    /// <summary>Reads the texts of symbolic links together: entries with <see cref="RemoteEntry.LinkTarget"/>. One outcome a path, in order.</summary>
    public virtual ValueTask<IReadOnlyList<LinkOutcome>> ReadLinksAsync(IReadOnlyList<string> paths, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(paths);
        return new([.. paths.Select(path => new LinkOutcome { Error = NoLinks(path) })]);
    }

    /// <summary>Follows symbolic links together, and tells what really is at each path: it need not be a link. One outcome a path, in order.</summary>
    public virtual ValueTask<IReadOnlyList<LinkOutcome>> FollowLinksAsync(IReadOnlyList<string> paths, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(paths);
        return new([.. paths.Select(path => new LinkOutcome { Error = NoLinks(path) })]);
    }

    /// <summary>Copies a file inside the server, so that its bytes do not come here. What was copied and compared; null: the server can't, and nothing was done.</summary>
    /// <exception cref="TransferException">It could not be copied; no part of it is left.</exception>
    public virtual ValueTask<WorkOutcome.Done?> CopyFileAsync(FileCopy copy, CancellationToken cancellationToken) => new((WorkOutcome.Done?)null);

    /// <summary>Computes a hash at the server, in lower-case hex; null when it does not offer that algorithm.</summary>
    public abstract ValueTask<string?> HashAsync(string path, string algorithm, CancellationToken cancellationToken);

    /// <summary>Where what <see cref="HashAsync"/> gives comes from.</summary>
    public virtual HashSource HashSource => HashSource.Server;

    /// <summary>Closes the session, politely when it is usable, within a short time.</summary>
    public abstract ValueTask DisposeAsync();

    /// <summary>What to say where a server sets no permissions.</summary>
    protected static TransferException NoModes(string path) => new(TransferError.Unsupported, $"{path}: this server sets no permissions.") { RemotePath = path };

    private static TransferException NoLinks(string path) =>
        new(TransferError.Unsupported, $"{path}: there are no symbolic links over this protocol.") { RemotePath = path };
}
