using Transfer.Diagnostics;
using Transfer.Engine.Files;
using Transfer.Engine.Scheduling;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>
/// Deletes a folder with all entries. Links are deleted, and not entered. A folder with an entry that could not be deleted stays.
/// </summary>
/// <param name="engine">The engine of the client.</param>
/// <param name="items">Receives each deleted entry, and each that could not be; or null.</param>
/// <param name="above">The parent of all deletions.</param>
internal sealed class TreeDeletion(ClientEngine engine, IProgress<ItemResult>? items, string above) : ITreeAct
{
    private TransferException? _error;

    /// <summary>The first error; null: everything was deleted.</summary>
    public TransferException? FirstError => _error;

    /// <summary>The report of one entry.</summary>
    public static ItemResult ResultOf(string path, RemoteEntryType type, TransferException? error) => new()
    {
        Path = path,
        Action = ItemAction.Delete,
        Type = type,
        Error = error,
        Result = error is null ? new TransferResult { Attempts = 1 } : null,
    };

    public ValueTask PrepareAsync(TransferSession session, IReadOnlyList<PassFolder> folders, CancellationToken ct) => default;

    public async ValueTask<PassContent> VisitAsync(TransferSession session, PassFolder folder, CancellationToken ct)
    {
        var (entries, directories, report) = (new List<PassEntry>(), new List<RemoteEntry>(),
            new ListingReport { PresenceSuffices = !folder.IsWanted, NeedsProofs = true });
        var (ofEntries, ofFolders) = folder.OpenShares(engine.Listings);
        var again = new List<string>();
        try
        {
            await foreach (var entry in session.ListAsync(folder.Path, report, ct).ConfigureAwait(false))
            {
                // A name that leads elsewhere would delete elsewhere.
                if (!ListedNames.IsUsable(folder.Path, entry, engine.Logger)) continue;
                if (folder.Named?.Contains(entry.Path) == true)
                {
                    // Deleted by now, or refused.
                    if (again.Count < folder.Named.Count) again.Add(entry.Path);
                }
                else if (entry.Type == RemoteEntryType.Directory)
                {
                    // The whole entry is kept until proved to be a directory.
                    ofFolders.Keep(entry, directories);
                }
                else
                {
                    new PassEntry(folder, entry.Path, entry.Type).Keep(ofEntries, entries);
                }
            }
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            Fail(folder, folder.Gap ?? e);
            // An enumeration that ended early may have cost the session, which would prove the directories: another call finds them again.
            if (!session.Usable) directories.Clear();
        }
        // Listed twice: a name with a line end can make the line of a directory for a link, whose own line is here, too.
        if (directories.Count > 0 && entries.Count > 0)
        {
            var others = new HashSet<string>(entries.Count, StringComparer.Ordinal);
            foreach (var entry in entries) others.Add(entry.Path);
            directories.RemoveAll(directory => others.Contains(directory.Path));
        }
        var gap = report.ToError(folder.Path);
        return new PassContent(entries, directories)
        {
            Gap = gap,
            MayLack = report.MayLack,
            Named = gap is null ? null
                : [.. again, .. entries.Select(entry => entry.Path), .. directories.Select(entry => entry.Path)],
        };
    }

    public PassContent Prove(PassFolder folder, PassContent content, ReadOnlySpan<DirectoryProof> proofs)
    {
        var (entries, children) = (new List<PassEntry>(content.Entries), new List<RemoteEntry>(content.Folders.Count));
        for (var i = 0; i < content.Folders.Count; i++)
        {
            var path = content.Folders[i].Path;
            if (proofs[i] != DirectoryProof.Child)
            {
                entries.Add(new PassEntry(folder, path, RemoteEntryType.Link, Proof: proofs[i]));
            }
            else if (PlannedDirectory.RefuseLength(path) is { } tooLong)
            {
                folder.Leave();
                Fail(path, RemoteEntryType.Directory, tooLong);
            }
            else
            {
                children.Add(content.Folders[i]);
            }
        }
        return content with { Entries = entries, Folders = children };
    }

    public async ValueTask HandleAsync(TransferSession session, IReadOnlyList<PassEntry> entries, bool inDoubt, CancellationToken ct)
    {
        string[] paths = [.. entries.Select(entry => entry.Path)];
        var outcomes = await DeleteAsync(session, (on, some, token) => on.DeleteFilesBelowAsync(above, some, token), paths, inDoubt, ct)
            .ConfigureAwait(false);
        for (var i = 0; i < entries.Count; i++)
        {
            var entry = entries[i];
            if (outcomes[i] is null or { Error: TransferError.NotFound })
            {
                items?.Report(ResultOf(entry.Path, entry.Type, null));
                continue;
            }
            // Deleting a link leaves the folder to which it leads. A refusal is final, for any reason: that folder may be outside.
            var error = entry.Proof is { } proof ? DoubtfulDirectory.Refused(entry.Path, proof, outcomes[i]!) : outcomes[i]!;
            // The first error is thrown.
            if (entry.Proof is not null && _error is not null) Log.DirectoryLeft(engine.Logger, error.Message);
            entry.Folder.Leave();
            Fail(entry.Path, entry.Type, error);
        }
    }

    public async ValueTask FinishAsync(TransferSession session, IReadOnlyList<PassFolder> folders, bool inDoubt, CancellationToken ct)
    {
        var emptied = new List<PassFolder>(folders.Count);
        foreach (var folder in folders)
        {
            // The named entries were deleted, or could not be; that there are no more is not proved.
            if (folder.Gap is { } gap && !folder.HasFailed) Fail(folder, gap);
            if (!folder.HasLeft) emptied.Add(folder);
            else folder.Parent?.Leave();
        }
        if (emptied.Count == 0) return;
        var outcomes = await DeleteAsync(session, (on, some, token) => EmptyDirectories.RemoveAsync(on, above, some, token),
            [.. emptied.Select(folder => folder.Path)], inDoubt, ct).ConfigureAwait(false);
        for (var i = 0; i < emptied.Count; i++)
        {
            var folder = emptied[i];
            if (outcomes[i] is null or { Error: TransferError.NotFound })
            {
                items?.Report(ResultOf(folder.Path, RemoteEntryType.Directory, null));
                continue;
            }
            // The folder may hold what the listing did not show.
            folder.IsWanted = folder.MayLack;
            if (folder.IsWanted) continue;
            folder.Parent?.Leave();
            if (!folder.HasFailed) Fail(folder, outcomes[i]!);
        }
    }

    private static ValueTask<IReadOnlyList<TransferException?>> DeleteAsync(
        TransferSession session, Deletion delete, IReadOnlyList<string> paths, bool inDoubt, CancellationToken ct) =>
        inDoubt ? LostDeletions.RepeatAsync(session, delete, paths, ct) : delete(session, paths, ct);

    private void Fail(PassFolder folder, TransferException error)
    {
        folder.HasFailed = true;
        Fail(folder.Path, RemoteEntryType.Directory, error);
    }

    private void Fail(string path, RemoteEntryType type, TransferException error)
    {
        Interlocked.CompareExchange(ref _error, error, null);
        items?.Report(ResultOf(path, type, error));
    }
}
