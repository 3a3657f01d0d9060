using Microsoft.Extensions.Logging;
using Transfer.Listings;
using Transfer.Local;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>
/// Changes the permissions of a path, or of a whole tree: folder by folder, with each folder's entries together, so that memory grows with
/// the depth and the largest folder. Links on the way are neither changed nor followed.
/// </summary>
internal sealed class RemoteModes
{
    private const int Together = 256;

    private readonly TransferSession _session;
    private readonly ModeChange _change;
    private readonly IProgress<ItemResult>? _items;
    private readonly ListingBudget _listings;
    private readonly ILogger _logger;
    private TransferException? _error;
    private long _changed;

    public RemoteModes(TransferSession session, ModeChange change, IProgress<ItemResult>? items, ListingBudget listings, ILogger logger)
    {
        _session = session;
        _change = change;
        _items = items;
        _listings = listings;
        _logger = logger;
    }

    /// <summary>Changes the permissions. Returns the number of files and folders changed.</summary>
    /// <exception cref="TransferException">The first error; the rest was tried.</exception>
    public async ValueTask<long> RunAsync(string path, bool recursive, CancellationToken ct)
    {
        var entry = await _session.GetEntryAsync(path, ct).ConfigureAwait(false)
            ?? throw new TransferException(TransferError.NotFound, $"{path} does not exist.") { RemotePath = path };
        // A link that the caller names is followed, as by chmod(1).
        if (entry.Type == RemoteEntryType.Link) entry = await FollowAsync(path, ct).ConfigureAwait(false);
        if (_change.NeedsPresent && entry.Mode is null) entry = await ListedAsync(entry, ct).ConfigureAwait(false);
        if (recursive && entry.Type == RemoteEntryType.Directory) await ChangeTreeAsync(entry, ct).ConfigureAwait(false);
        else await ChangeAsync([entry], ct).ConfigureAwait(false);
        return _error is null ? _changed : throw _error;
    }

    private async ValueTask<RemoteEntry> FollowAsync(string path, CancellationToken ct)
    {
        var outcome = (await _session.FollowLinksAsync([path], ct).ConfigureAwait(false))[0];
        if (outcome.Error is { } error) throw error;
        return (outcome.Entry
            ?? throw new TransferException(TransferError.NotFound, $"{path} leads to nothing.") { RemotePath = path }) with
        { Path = path };
    }

    // In some protocols a look at a single path gives no permissions, and the listing of the parent does.
    private async ValueTask<RemoteEntry> ListedAsync(RemoteEntry entry, CancellationToken ct)
    {
        if (RemotePath.GetParent(entry.Path) is not { Length: > 0 } folder) return entry;
        await foreach (var listed in _session.ListAsync(folder, new ListingReport(), ct).ConfigureAwait(false))
        {
            if (listed.Name == entry.Name) entry = entry with { Mode = listed.Mode };
        }
        return entry;
    }

    private async ValueTask ChangeTreeAsync(RemoteEntry root, CancellationToken ct)
    {
        // The share of stacked folders is kept until the end.
        using var share = _listings.Open(root.Path);
        var folders = new Stack<(RemoteEntry Folder, bool IsDone)>([(root, false)]);
        while (folders.TryPop(out var next))
        {
            if (next.IsDone)
            {
                await ChangeAsync([next.Folder], ct).ConfigureAwait(false);
                continue;
            }
            // Permissions that open a folder are set before the content, those that close one after.
            var opens = Opens(next.Folder);
            if (opens) await ChangeAsync([next.Folder], ct).ConfigureAwait(false);
            else folders.Push((next.Folder, true));
            foreach (var child in await ChangeContentAsync(next.Folder.Path, share, ct).ConfigureAwait(false)) folders.Push((child, false));
        }
    }

    private bool Opens(RemoteEntry folder)
    {
        const UnixFileMode Enters = UnixFileMode.UserRead | UnixFileMode.UserExecute;
        return (folder.Mode is not null || !_change.NeedsPresent) && (WantedOf(folder) & Enters) == Enters;
    }

    // Changes the files of a folder; returns the child folders to the caller.
    private async ValueTask<IReadOnlyList<RemoteEntry>> ChangeContentAsync(string directory, ListingShare ofFolders, CancellationToken ct)
    {
        var (files, folders, report) = (new List<RemoteEntry>(), new List<RemoteEntry>(), new ListingReport());
        using var share = _listings.Open(directory);
        try
        {
            await foreach (var entry in _session.ListAsync(directory, report, ct).ConfigureAwait(false))
            {
                // A name that leads elsewhere would change an entry elsewhere.
                if (!ListedNames.IsUsable(directory, entry, _logger)) continue;
                if (entry.Type == RemoteEntryType.Directory) ofFolders.Keep(entry, folders);
                else if (entry.Type != RemoteEntryType.Link) share.Keep(entry, files);
            }
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            Fail(directory, RemoteEntryType.Directory, e);
        }
        if (report.ToError(directory) is { } gap) Fail(directory, RemoteEntryType.Directory, gap);
        foreach (var some in files.Chunk(Together)) await ChangeAsync(some, ct).ConfigureAwait(false);
        if (folders.Count == 0) return [];
        var proofs = await _session.ProveDirectoriesAsync(directory, folders, ct).ConfigureAwait(false);
        for (var i = 0; i < folders.Count; i++)
        {
            if (proofs[i] == DirectoryProof.Unknown)
            {
                Fail(folders[i].Path, RemoteEntryType.Directory,
                    new TransferException(TransferError.Denied,
                        $"{folders[i].Path} may be a link, and is left as it is.")
                    { RemotePath = folders[i].Path });
            }
        }
        return [.. folders.Where((_, i) => proofs[i] == DirectoryProof.Child)];
    }

    private async ValueTask ChangeAsync(RemoteEntry[] entries, CancellationToken ct)
    {
        var known = new List<RemoteEntry>(entries.Length);
        foreach (var entry in entries)
        {
            if (entry.Mode is not null || !_change.NeedsPresent)
            {
                known.Add(entry);
            }
            else
            {
                Fail(entry.Path, entry.Type,
                    new TransferException(TransferError.Unsupported,
                        $"{entry.Path}: the server does not tell its permissions, so that only octal ones can be set.")
                    { RemotePath = entry.Path });
            }
        }
        var outcomes = await _session.SetModesAsync([.. known.Select(entry => new ModeSetting(entry.Path, WantedOf(entry)))],
            ct).ConfigureAwait(false);
        for (var i = 0; i < known.Count; i++)
        {
            if (outcomes[i] is { } error)
            {
                Fail(known[i].Path, known[i].Type, error);
                continue;
            }
            _changed++;
            _items?.Report(new ItemResult { Path = known[i].Path, Type = known[i].Type, Result = new TransferResult() });
        }
    }

    private UnixFileMode WantedOf(RemoteEntry entry) =>
        _change.Apply(entry.Mode.GetValueOrDefault(), entry.Type == RemoteEntryType.Directory, LocalModes.Umask);

    private void Fail(string path, RemoteEntryType type, TransferException error)
    {
        _error ??= error;
        _items?.Report(new ItemResult { Path = path, Type = type, Error = error });
    }
}
