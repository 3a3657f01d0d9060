using Transfer.Engine.Scheduling;
using Transfer.Local;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>
/// Changes the permissions of a folder and of all entries: those that open a folder before the content, those that close one after. Links
/// are neither changed nor followed. After a lost session a change is made again, which has the same result.
/// </summary>
/// <param name="engine">The engine of the client.</param>
/// <param name="change">The change.</param>
/// <param name="items">Receives each changed entry, and each that could not be.</param>
internal sealed class TreeModes(ClientEngine engine, ModeChange change, IProgress<ItemResult> items) : ITreeAct
{
    private TransferException? _error;

    /// <summary>The first error; null: everything was changed.</summary>
    public TransferException? FirstError => _error;

    public bool Prepares(PassFolder folder) => !folder.IsHandled && Opens(folder.Entry);

    public async ValueTask PrepareAsync(TransferSession session, IReadOnlyList<PassFolder> folders, CancellationToken ct)
    {
        await ChangeAsync(session, [.. folders.Select(folder => folder.Entry)], ct).ConfigureAwait(false);
        foreach (var folder in folders) folder.IsHandled = true;
    }

    public async ValueTask<PassContent> VisitAsync(TransferSession session, PassFolder folder, CancellationToken ct)
    {
        var (entries, folders, report) = (new List<PassEntry>(), new List<RemoteEntry>(),
            new ListingReport { NamesSuffice = true, NeedsProofs = true, Unproved = folder.Unproved });
        var (ofEntries, ofFolders) = folder.OpenShares(engine.Listings);
        var links = new List<PassEntry>();
        try
        {
            await foreach (var entry in session.ListAsync(folder.Path, report, ct).ConfigureAwait(false))
            {
                // A name that leads elsewhere would change an entry elsewhere.
                if (!ListedNames.IsUsable(folder.Path, entry, engine.Logger)) continue;
                if (entry.Type == RemoteEntryType.Directory)
                {
                    ofFolders.Keep(entry, folders);
                }
                else
                {
                    new PassEntry(folder, entry.Path, entry.Type, entry.Mode)
                        .Keep(ofEntries, entry.Type == RemoteEntryType.Link ? links : entries);
                }
            }
        }
        catch (TransferException e) when (folder.IsFinal(e))
        {
            Fail(folder.Path, RemoteEntryType.Directory, e);
        }
        if (report.ToError(folder.Path) is { } gap) Fail(folder.Path, RemoteEntryType.Directory, gap);
        LeaveTwins(entries, folders, links);
        return new PassContent(entries, folders) { Proof = report.Proof };
    }

    // Listed twice: a name with a line end can make the line of a file or directory for a link, whose own line is here, too. A change of
    // permissions follows links.
    private void LeaveTwins(List<PassEntry> entries, List<RemoteEntry> folders, List<PassEntry> links)
    {
        if (links.Count + (folders.Count > 0 ? entries.Count : 0) == 0) return;
        var others = new HashSet<string>(StringComparer.Ordinal);
        foreach (var link in links) others.Add(link.Path);
        entries.RemoveAll(entry => LeaveTwin(entry.Path, others));
        foreach (var entry in entries) others.Add(entry.Path);
        folders.RemoveAll(folder => LeaveTwin(folder.Path, others));
    }

    private bool LeaveTwin(string path, HashSet<string> others)
    {
        if (!others.Contains(path)) return false;
        FailAsLink(path);
        return true;
    }

    public PassEntry? Instead(PassFolder parent, string path, DirectoryProof proof)
    {
        if (proof == DirectoryProof.Unknown) FailAsLink(path);
        return null;
    }

    public ValueTask HandleAsync(TransferSession session, IReadOnlyList<PassEntry> entries, bool inDoubt, CancellationToken ct) =>
        ChangeAsync(session, [.. entries.Select(entry => new RemoteEntry { Path = entry.Path, Type = entry.Type, Mode = entry.Mode })], ct);

    public ValueTask FinishAsync(TransferSession session, IReadOnlyList<PassFolder> folders, bool inDoubt, CancellationToken ct) =>
        ChangeAsync(session, [.. folders.Where(folder => !folder.IsHandled).Select(folder => folder.Entry)], ct);

    /// <summary>Changes the permissions of entries.</summary>
    public async ValueTask ChangeAsync(TransferSession session, IReadOnlyList<RemoteEntry> entries, CancellationToken ct)
    {
        RemoteEntry[] known = [.. entries.Where(IsKnown)];
        var outcomes = known.Length == 0 ? []
            : await session.SetModesAsync([.. known.Select(entry => new ModeSetting(entry.Path, WantedOf(entry)))], ct)
                .ConfigureAwait(false);
        for (var i = 0; i < known.Length; i++)
        {
            if (outcomes[i] is { } error)
            {
                Fail(known[i].Path, known[i].Type, error);
                continue;
            }
            items.Report(new ItemResult
            {
                Path = known[i].Path,
                Action = ItemAction.ChangeMode,
                Type = known[i].Type,
                Result = new TransferResult { Attempts = 1 },
            });
        }
        foreach (var entry in entries.Where(entry => !IsKnown(entry)))
        {
            Fail(entry.Path, entry.Type,
                new TransferException(TransferError.Unsupported,
                    $"{entry.Path}: the server does not tell its permissions, so that only octal ones can be set.")
                { RemotePath = entry.Path });
        }
    }

    private bool IsKnown(RemoteEntry entry) => entry.Mode is not null || !change.NeedsPresent;

    // Whose folder it is, is not known: one that some may not list is opened before its content, a round trip earlier.
    private bool Opens(RemoteEntry folder)
    {
        const UnixFileMode Enters = UnixFileMode.UserRead | UnixFileMode.UserExecute;
        const UnixFileMode ForAll = Enters | UnixFileMode.GroupRead | UnixFileMode.GroupExecute
            | UnixFileMode.OtherRead | UnixFileMode.OtherExecute;
        return IsKnown(folder) && (folder.Mode & ForAll) != ForAll && (WantedOf(folder) & Enters) == Enters;
    }

    private UnixFileMode WantedOf(RemoteEntry entry) =>
        change.Apply(entry.Mode.GetValueOrDefault(), entry.Type == RemoteEntryType.Directory, LocalModes.Umask);

    private void FailAsLink(string path) => Fail(path, RemoteEntryType.Directory,
        new TransferException(TransferError.Denied, $"{path} may be a link, and is left as it is.") { RemotePath = path });

    private void Fail(string path, RemoteEntryType type, TransferException error)
    {
        Interlocked.CompareExchange(ref _error, error, null);
        items.Report(new ItemResult { Path = path, Action = ItemAction.ChangeMode, Type = type, Error = error });
    }
}
