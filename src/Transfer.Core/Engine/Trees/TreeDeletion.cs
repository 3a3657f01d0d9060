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

    public bool Prepares(PassFolder folder) => false;

    public ValueTask PrepareAsync(TransferSession session, IReadOnlyList<PassFolder> folders, CancellationToken ct) => default;

    public async ValueTask<PassContent> VisitAsync(TransferSession session, PassFolder folder, CancellationToken ct)
    {
        if (PlannedDirectory.RefuseLength(folder.Path) is { } tooLong)
        {
            folder.Leave();
            Fail(folder, tooLong);
            return new PassContent([], []) { Proof = DirectoryProof.Child };
        }
        var (entries, directories, report) = (new List<PassEntry>(), new List<RemoteEntry>(),
            new ListingReport { PresenceSuffices = !folder.IsWanted, NeedsProofs = true, Unproved = folder.Unproved });
        var (ofEntries, ofFolders) = folder.OpenShares(engine.Listings);
        var again = new List<string>();
        try
        {
            await foreach (var entry in session.ListAsync(folder.Path, report, ct).ConfigureAwait(false))
            {
                // A name that leads elsewhere would delete elsewhere.
                if (!ListedNames.IsUsable(folder.Path, entry, engine.Logger)) continue;
                if (folder.Gaps.Named?.Contains(entry.Path) == true)
                {
                    // Deleted by now, or refused.
                    if (again.Count < folder.Gaps.Named.Count) again.Add(entry.Path);
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
        catch (TransferException e) when (folder.IsFinal(e))
        {
            Fail(folder, folder.Gaps.Gap ?? e);
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
            Proof = report.Proof,
            Gap = gap,
            MayLack = report.MayLack,
            Named = gap is null ? null
                : [.. again, .. entries.Select(entry => entry.Path), .. directories.Select(entry => entry.Path)],
        };
    }

    public PassEntry? Instead(PassFolder parent, string path, DirectoryProof proof) =>
        new PassEntry(parent, path, RemoteEntryType.Link, Proof: proof);

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
            if (folder.Gaps.Gap is { } gap && !folder.HasFailed) Fail(folder, gap);
            if (!folder.HasLeft) emptied.Add(folder);
            else folder.Parent?.Leave();
        }
        if (emptied.Count == 0) return;
        var outcomes = await DeleteAsync(session, (on, some, token) => EmptyDirectories.RemoveAsync(on, above, some, token),
            [.. emptied.Select(folder => folder.Path)], inDoubt, ct).ConfigureAwait(false);
        var holding = new HashSet<PassFolder>(); // hold a folder that is visited again
        for (var i = 0; i < emptied.Count; i++)
        {
            var folder = emptied[i];
            if (outcomes[i] is null or { Error: TransferError.NotFound })
            {
                items?.Report(ResultOf(folder.Path, RemoteEntryType.Directory, null));
            }
            else if (holding.Contains(folder) || WantsAgain(folder))
            {
                if (folder.Parent is { } parent) holding.Add(parent);
            }
            else
            {
                folder.Parent?.Leave();
                // The refusal of a folder below is reported there.
                if (!folder.HasFailed && !folder.HasLeft) Fail(folder, outcomes[i]!);
            }
        }
    }

    // The folder may hold what the listing did not show.
    private static bool WantsAgain(PassFolder folder) => folder.IsWanted = folder.Gaps.MayLack && !folder.HasLeft;

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
