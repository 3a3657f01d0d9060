using Transfer.Ftp.Listing;
using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// Distinguishes directories from links to directories. MLSD and MLST follow links on many servers: pyftpdlib always, ProFTPD in MLST, and
/// in LIST too ProFTPD with ShowSymlinks off and Pure-FTPd with BrokenClientsCompatibility. The proof is in the identities, in facts that
/// no directory has, or in the first column of LIST.
/// </summary>
internal sealed class FtpDirectoryProofs
{
    private const int MostColumns = 400_000;

    // A line of MLSD has several times the bytes that its name takes.
    private const int LineBytes = 8;

    private readonly FtpSessionContext _context;
    private readonly FtpDataOpener _opener;
    private readonly FtpLister _lister;
    private readonly FtpFinder _finder;

    /// <param name="context">The session.</param>
    /// <param name="opener">Opens data connections.</param>
    /// <param name="lister">Lists one directory.</param>
    /// <param name="finder">Finds entries by STAT.</param>
    public FtpDirectoryProofs(FtpSessionContext context, FtpDataOpener opener, FtpLister lister, FtpFinder finder)
    {
        _finder = finder;
        _context = context;
        _opener = opener;
        _lister = lister;
    }

    /// <summary>Whether the proof of a path can leave with the commands that look at the path.</summary>
    public bool ServesBesideLook(string path) => _context.Profile.PrintsCanonicalPaths && _context.Pipelining == FtpPipelining.Batched
        && !FtpSpaces.Has(path) && _context.WhyUnsendable(path) is null;

    /// <summary>Describes a path, and proves a directory, in one flight (see <see cref="ServesBesideLook"/>).</summary>
    /// <param name="path">The path, with a directory above.</param>
    /// <param name="look">Describes the path.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask<ProvedEntry> LookAsync(
        string path, Func<CancellationToken, ValueTask<RemoteEntry?>> look, CancellationToken ct)
    {
        var flight = new FtpProofFlight(_context, [new RemoteEntry { Path = path, Type = RemoteEntryType.Directory }]);
        // In front: the look may send further commands, which count on the working directory.
        var sent = new FtpCommandWindow(_context, flight.Commands) { HoldsNames = true }.RunAsync(ct).AsTask();
        RemoteEntry? entry;
        try
        {
            entry = await look(ct).ConfigureAwait(false);
        }
        finally
        {
            await ((Task)sent).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
        if (entry?.Type != RemoteEntryType.Directory) return new(entry, DirectoryProof.Unknown);
        return new(entry, (await CompleteAsync([entry], flight.Judge(await sent.ConfigureAwait(false)), ct).ConfigureAwait(false))[0]);
    }

    /// <summary>Proves entries of one directory or several. One proof an entry, in order.</summary>
    public async ValueTask<IReadOnlyList<DirectoryProof>> ProveAsync(IReadOnlyList<RemoteEntry> entries, CancellationToken ct)
    {
        var profile = _context.Profile;
        // No link leads to a prefix, and DELE would delete all that begins with it.
        if (profile.HasPrefixesForFolders || !profile.PrintsCanonicalPaths && HaveColumns(entries))
            return [.. entries.Select(_ => DirectoryProof.Child)];
        if (!FtpProofFlight.Serves(_context))
            return await CompleteAsync(entries, new DirectoryProof[entries.Count], ct).ConfigureAwait(false);
        var flight = new FtpProofFlight(_context, entries);
        var replies = await new FtpCommandWindow(_context, flight.Commands) { HoldsNames = true }.RunAsync(ct).ConfigureAwait(false);
        return await CompleteAsync(entries, flight.Judge(replies), ct).ConfigureAwait(false);
    }

    /// <summary>Completes what a <see cref="FtpProofFlight"/> has proved. One proof an entry, in order.</summary>
    public async ValueTask<IReadOnlyList<DirectoryProof>> CompleteAsync(
        IReadOnlyList<RemoteEntry> entries, DirectoryProof[] proofs, CancellationToken ct)
    {
        if (_context.Profile.PrintsCanonicalPaths)
        {
            if (HaveColumns(entries)) DoubtLinks(proofs);
            else if (_context.Profile.MayPrintGivenPaths) await CompareTypesAsync(entries, proofs, ct).ConfigureAwait(false);
            return proofs;
        }
        var unknown = Enumerable.Range(0, entries.Count).Where(i => proofs[i] == DirectoryProof.Unknown);
        foreach (var some in unknown.GroupBy(i => RemotePath.GetParent(entries[i].Path)))
        {
            var found = await ProveAsync(some.Key ?? "/", [.. some.Select(i => entries[i])], ct).ConfigureAwait(false);
            foreach (var (i, proof) in some.Zip(found)) proofs[i] = proof;
        }
        return proofs;
    }

    // The type and the permissions come from the same first column.
    private bool HaveColumns(IReadOnlyList<RemoteEntry> entries) => !_context.Profile.Mlst && entries.All(entry => entry.Mode is not null);

    // The column says otherwise: a name may have made that line, or PWD may print a name in another way.
    private static void DoubtLinks(DirectoryProof[] proofs)
    {
        for (var i = 0; i < proofs.Length; i++)
        {
            if (proofs[i] == DirectoryProof.Link) proofs[i] = DirectoryProof.Unknown;
        }
    }

    // At Pure-FTPd each means has a gap: a build prints the path that CWD was given, and by an option LIST shows links as directories.
    private async ValueTask CompareTypesAsync(IReadOnlyList<RemoteEntry> entries, DirectoryProof[] proofs, CancellationToken ct)
    {
        if (!proofs.Contains(DirectoryProof.Child)) return;
        var types = await FindTypesAsync(entries, ct).ConfigureAwait(false);
        for (var i = 0; i < proofs.Length; i++)
        {
            if (proofs[i] != DirectoryProof.Child) continue;
            proofs[i] = types.GetValueOrDefault(entries[i].Path, RemoteEntryType.Other) switch
            {
                RemoteEntryType.Directory => DirectoryProof.Child,
                RemoteEntryType.Link => DirectoryProof.Link,
                _ => DirectoryProof.Unknown,
            };
        }
    }

    // By what STAT has just shown; by STAT of the directories above, in one flight; the rest by listings. A column needs no comparison with
    // a listing: what STAT lacks is listed.
    private async ValueTask<Dictionary<string, RemoteEntryType>> FindTypesAsync(IReadOnlyList<RemoteEntry> entries, CancellationToken ct)
    {
        var types = new Dictionary<string, RemoteEntryType>(StringComparer.Ordinal);
        foreach (var entry in entries.Where(entry => _finder.Seen.Take(entry.Path))) types.TryAdd(entry.Path, RemoteEntryType.Directory);
        var folders = entries.Where(entry => !types.ContainsKey(entry.Path)).ToLookup(entry => FtpCanonicalPaths.ParentOf(entry.Path));
        string[] asked = _finder.IsOffered ? [.. folders.Select(folder => folder.Key).Where(_finder.Takes)] : [];
        IReadOnlyList<IReadOnlyList<RemoteEntry>?> found =
            asked.Length > 0 ? (await _finder.FindAsync(asked, describes: false, null, ct).ConfigureAwait(false)).Entries : [];
        foreach (var entry in found.SelectMany(some => some ?? [])) types.TryAdd(entry.Path, entry.Type);
        foreach (var folder in folders.Where(folder => folder.Any(entry => !types.ContainsKey(entry.Path))))
        {
            var columns = await ReadColumnsAsync(folder.Key, [.. folder], ct).ConfigureAwait(false);
            foreach (var entry in folder)
            {
                if (columns.TryGetValue(entry.Name, out var type)) types.TryAdd(entry.Path, type);
            }
        }
        return types;
    }

    private async ValueTask<IReadOnlyList<DirectoryProof>> ProveAsync(
        string directory, RemoteEntry[] entries, CancellationToken ct)
    {
        var identities = _context.Profile.Announces("unique*")
            ? await IdentifyAsync(directory, ct).ConfigureAwait(false) : new FtpIdentities();
        var columns = await ReadColumnsAsync(directory, entries, ct).ConfigureAwait(false);
        return [.. entries.Select(entry => Judge(entry.Name, identities, columns))];
    }

    /// <summary>
    /// Finds links that LIST names and MLSD omits, where LIST names nothing else: ProFTPD and pyftpdlib omit dangling links.
    /// </summary>
    public async ValueTask<IReadOnlyList<string>> FindHiddenLinksAsync(string directory, CancellationToken ct)
    {
        // Else the empty listing was from LIST.
        if (!_context.Profile.Mlst) return [];
        var links = new HashSet<string>(StringComparer.Ordinal);
        bool[] ways = _context.ListTakesOptions ? [true] : [false, true];
        foreach (var options in ways)
        {
            if (!await AddLinksAsync(directory, options, links, ct).ConfigureAwait(false)) return [];
        }
        return [.. links];
    }

    // False: another entry, or too many links.
    private async ValueTask<bool> AddLinksAsync(string directory, bool options, HashSet<string> links, CancellationToken ct)
    {
        try
        {
            await foreach (var entry in _lister.ListByListAsync(directory, options, new ListingReport(), ct).ConfigureAwait(false))
            {
                if (entry.Type != RemoteEntryType.Link || links.Count >= MostColumns) return false;
                links.Add(RemotePath.Combine(directory, entry.Name));
            }
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            Log.ProofMissing(_context.Logger, directory, e.Message);
        }
        return true;
    }

    private static DirectoryProof Judge(string name, FtpIdentities identities, Dictionary<string, RemoteEntryType> columns)
    {
        var column = columns.TryGetValue(name, out var type) ? type : (RemoteEntryType?)null;
        if (identities.IsLink(name) || column == RemoteEntryType.Link) return DirectoryProof.Link;
        var isAlone = identities.EntriesWithSameIdentity(name).All(other => columns.GetValueOrDefault(other) == RemoteEntryType.Link);
        return column == RemoteEntryType.Directory && isAlone ? DirectoryProof.Child : DirectoryProof.Unknown;
    }

    private async ValueTask<FtpIdentities> IdentifyAsync(string directory, CancellationToken ct)
    {
        var identities = new FtpIdentities();
        try
        {
            await ReadIdentitiesAsync(directory, identities, ct).ConfigureAwait(false);
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            // A missing answer proves nothing.
            Log.ProofMissing(_context.Logger, directory, e.Message);
        }
        var path = _context.Profile.HasRelativeNames ? directory : _context.Expand(directory);
        string[] paths = [path, .. DirectoriesAbove(path)];
        FtpCommand[] commands = [.. paths.Select(one => new FtpCommand("MLST", _context.Expand(one)))];
        var replies = await _context.ExecuteAllAsync(commands, ct).ConfigureAwait(false);
        identities.AddOwn(replies[0]);
        foreach (var reply in replies.Skip(1)) identities.AddAbove(reply);
        return identities;
    }

    // The path in front of .. is that of a directory below, perhaps of the very entry to be proved; and behind a link only the server
    // knows where .. leads.
    private static IEnumerable<string> DirectoriesAbove(string path)
    {
        var names = path.Split('/');
        if (names.Contains(".."))
        {
            foreach (var _ in names.Where(name => name is not ("" or "." or ".."))) yield return path += "/..";
            yield break;
        }
        for (var up = RemotePath.GetParent(path); up is not null; up = RemotePath.GetParent(up)) yield return up;
    }

    private async ValueTask ReadIdentitiesAsync(string directory, FtpIdentities identities, CancellationToken ct)
    {
        await _opener.PrepareAsync(ct).ConfigureAwait(false);
        var command = new FtpCommand("MLSD", _context.Expand(directory));
        var exchange = await FtpExchange.StartAsync(_context, _opener, command, directory, sends: false, ct).ConfigureAwait(false);
        await using var ended = exchange.ConfigureAwait(false);
        using var lines = new LineBuffer();
        var (read, more) = (0L, true);
        while (more)
        {
            more = await lines.FillAsync(exchange.ReadAsync, ct).ConfigureAwait(false);
            while (lines.TryTake(final: !more, out var line))
            {
                read += line.Length + 1;
                identities.AddLine(_context.Control.Encoding.GetString(line));
            }
            // The names were listed before, within the limit; a server may send lines without end.
            if (read / LineBytes > _context.Options.MaxListingBytes)
                throw new TransferException(TransferError.Partial, "MLSD sends far more than before.") { RemotePath = directory };
        }
        await exchange.FinishAsync(ct).ConfigureAwait(false);
    }

    // The types that LIST shows. Some servers hide names with a leading dot without -a, which other servers take for a name.
    private async ValueTask<Dictionary<string, RemoteEntryType>> ReadColumnsAsync(
        string directory, IReadOnlyList<RemoteEntry> entries, CancellationToken ct)
    {
        var columns = new Dictionary<string, RemoteEntryType>(StringComparer.Ordinal);
        var options = _context.ListTakesOptions;
        await AddColumnsAsync(directory, options, columns, ct).ConfigureAwait(false);
        if (!options && entries.Any(entry => entry.Name.StartsWith('.') && !columns.ContainsKey(entry.Name)))
            await AddColumnsAsync(directory, options: true, columns, ct).ConfigureAwait(false);
        return columns;
    }

    private async ValueTask AddColumnsAsync(
        string directory, bool options, Dictionary<string, RemoteEntryType> columns, CancellationToken ct)
    {
        try
        {
            // Names not listed stay without a proof: gaps of the listing do not matter.
            await foreach (var entry in _lister.ListByListAsync(directory, options, new ListingReport(), ct).ConfigureAwait(false))
            {
                if (entry.Type is not (RemoteEntryType.Directory or RemoteEntryType.Link) || columns.Count >= MostColumns) continue;
                // A name with a line end can make one of two lines.
                if (!columns.TryAdd(entry.Name, entry.Type) && columns[entry.Name] != entry.Type)
                    columns[entry.Name] = RemoteEntryType.Other;
            }
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            Log.ProofMissing(_context.Logger, directory, e.Message);
        }
    }
}
