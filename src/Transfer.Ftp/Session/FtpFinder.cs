using System.Buffers;
using Transfer.Ftp.Ladders;
using Transfer.Ftp.Listing;
using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// Finds the entries of many directories in one flight, by STAT (RFC 959 section 4.1.3): lines of <c>ls -l</c> on the control connection.
/// STAT proves no absence: servers cut the lines without notice (Pure-FTPd), and an empty answer has other reasons too.
/// </summary>
/// <remarks>
/// A name with a line end can look like the end of one reply and the beginning of another, and give one directory's entries to the next.
/// Such names only add replies. So the flight ends with commands of two kinds in an order of chance: with a reply too many, theirs come
/// late, and no maker of names knows the order.
/// Where MLST describes entries, a second flight describes what was found, so that a caller gets what MLSD would have shown.
/// </remarks>
internal sealed class FtpFinder
{
    private const int MostTogether = 512;

    // Where unanswered commands are bounded, the descriptions of so many directories' entries take as long as another session's log-in.
    private const int FewTogether = 64;

    private const int Marks = 32;

    // The directory may have changed meanwhile, or has a link that the server hides in one of the two.
    private const int MostDifferences = 3;

    // Replies to MLST are held until all have come.
    private const int MostDescribed = 16_384;

    // Of all lines in one flight.
    private const int MostBytes = 8 << 20;

    // No server is known whose limit of lines is below.
    private const int LeastLimit = 150;

    // Characters of patterns, options and quotes, which servers take for more than a name.
    private static readonly SearchValues<char> Special = SearchValues.Create("*?[]{}~\\ \t\"'");

    private readonly FtpSessionContext _context;
    private int _tooLong;
    private int _found;
    private int _differences;
    private bool _hidesDots; // entries came without the directory's own

    /// <param name="context">The session.</param>
    public FtpFinder(FtpSessionContext context)
    {
        _context = context;
        Seen = new FtpSeenDirectories(context.Options.TimeProvider);
    }

    /// <summary>The directories that STAT has just shown.</summary>
    public FtpSeenDirectories Seen { get; }

    /// <summary>The most directories in one flight.</summary>
    public int Together => Describes && _context.MostUnansweredBytes < int.MaxValue ? FewTogether : MostTogether;

    /// <summary>
    /// Whether STAT may be used. Long directories are listed in any case: where these prevail, their lines would come twice.
    /// </summary>
    public bool IsOffered => _context.Ladders.Find.IsOnFirst && _context.Pipelining == FtpPipelining.Batched
        && !_context.Profile.HasRelativeNames && Describes == _context.ListsByMlsd && _tooLong <= 2 * _found + MostTogether
        && _differences < MostDifferences;

    /// <summary>
    /// Whether the first column proves directories, or the size in MLST, or a flight of CWD and PWD. Elsewhere MLST may show links as
    /// directories, and those of each directory found would cost listings of their own (<see cref="FtpDirectoryProofs"/>).
    /// </summary>
    public bool Proves => _context.Profile is { Mlst: false } or { SizesTellLinks: true } or { PrintsCanonicalPaths: true };

    /// <summary>
    /// Whether STAT shows the same entries as LIST: vsftpd makes both by the same code (vsf_ls_populate_dir_list), which has no limit.
    /// </summary>
    public bool ShowsAll => _context.Profile is { Mlst: false, Flavor: FtpFlavor.Vsftpd };

    /// <summary>Whether STAT was compared with a listing of this host.</summary>
    public bool IsTrusted => IsOffered && _context.Host.FindsByStat;

    /// <summary>Whether the entries of a directory may be found for a report.</summary>
    public bool Serves(string directory, ListingReport report) =>
        (report.PresenceSuffices || !_hidesDots && (report.NamesSuffice || report.OnlyShows && ShowsAll))
        && (Proves || !report.NeedsProofs) && IsOffered && Takes(directory);

    private bool Describes => _context.TakesMlst;

    /// <summary>Whether STAT takes the path of a directory for that and nothing else.</summary>
    public bool Takes(string directory)
    {
        var path = _context.Expand(directory);
        return path is ['/', ..] && !path.AsSpan().ContainsAny(Special)
            && _context.WhyUnsendable(path) is null;
    }

    /// <summary>Finds the entries of directories. One result a directory: null: to be listed, since STAT shows none, or not all.</summary>
    /// <param name="directories">The directories.</param>
    /// <param name="describes">Whether MLST describes all entries, where it does so at this host.</param>
    /// <param name="flight">The proofs that share the flight; null: none.</param>
    /// <param name="ct">Cancels.</param>
    /// <returns>The entries, and the proofs of the flight.</returns>
    /// <exception cref="TransferConnectionException">The session is lost, maybe for a reply that fits nothing.</exception>
    public async ValueTask<FtpFound> FindAsync(
        IReadOnlyList<string> directories, bool describes, FtpProofFlight? flight, CancellationToken ct)
    {
        try
        {
            var all = await StatAsync(directories, flight, ct).ConfigureAwait(false);
            var found = Describes && describes ? await DescribeAsync(directories, all.Entries, ct).ConfigureAwait(false) : all.Entries;
            Log.FoundByStat(_context.Logger, found.Count(entries => entries is not null), found.Length);
            return new(found, all.Proofs);
        }
        catch (TransferConnectionException e) when (e.Error is TransferError.Protocol or TransferError.Timeout)
        {
            LeaveFor(e);
            throw;
        }
    }

    private void LeaveFor(TransferConnectionException fault) =>
        _context.Ladders.Find.Leave(FtpOffer.Used, fault.Message, mayPass: fault.Error == TransferError.Timeout);

    private async ValueTask<FtpFound> StatAsync(
        IReadOnlyList<string> directories, FtpProofFlight? flight, CancellationToken ct)
    {
        // In front: a name that STAT shows could forge a reply to them.
        var proofs = flight?.Commands ?? [];
        var room = new FtpLineRoom(MostBytes);
        FtpReplyLines[] lines = [.. directories.Select(_ => new FtpReplyLines(room))];
        var marks = FtpMarks.Of(new("PWD"), Marks);
        FtpCommand[] commands =
        [
            .. proofs,
            .. directories.Select((directory, i) => new FtpCommand("STAT", ArgumentOf(directory)) { Lines = lines[i] }),
            .. marks,
        ];
        var found = new IReadOnlyList<RemoteEntry>?[lines.Length];
        var replies = await new FtpCommandWindow(_context, commands) { HoldsNames = true }.RunAsync(ct).ConfigureAwait(false);
        for (var i = 0; i < Marks; i++)
        {
            var reply = replies[proofs.Count + lines.Length + i];
            if (!FtpMarks.Fits(marks[i], reply)) throw Broken($"a reply too many ({reply.Code} to {marks[i]})");
        }
        for (var i = 0; i < found.Length; i++)
            found[i] = await ReadAsync(directories[i], replies[proofs.Count + i], lines[i], ct).ConfigureAwait(false);
        return new(found, flight?.Judge(replies) ?? []);
    }

    // vsftpd hides names with a leading dot, unless it is told otherwise (force_dot_files).
    private string ArgumentOf(string directory) =>
        (_context.Profile.Flavor == FtpFlavor.Vsftpd ? "-a " : string.Empty) + _context.Expand(directory);

    // The entries as MLST describes them, by names within their directory, which take fewer bytes than paths. A directory with a link to be
    // described, which each server does in a way of its own, or with an entry that is not described, is listed.
    private async ValueTask<IReadOnlyList<RemoteEntry>?[]> DescribeAsync(
        IReadOnlyList<string> directories, IReadOnlyList<RemoteEntry>?[] found, CancellationToken ct)
    {
        var described = new IReadOnlyList<RemoteEntry>?[found.Length];
        for (var start = 0; start < found.Length;)
        {
            var (end, commands) = (start, new List<FtpCommand>());
            do
            {
                if (found[end]?.All(IsDescribable) == false) found[end] = null;
                if (found[end] is not { } entries) continue;
                commands.Add(new("CWD", _context.Expand(directories[end])));
                commands.AddRange(entries.Select(entry => new FtpCommand("MLST", entry.Name)));
            }
            while (++end < found.Length && commands.Count + (found[end]?.Count ?? 0) < MostDescribed);
            var replies = await new FtpCommandWindow(_context, commands) { HoldsNames = true }.RunAsync(ct).ConfigureAwait(false);
            for (var next = 0; start < end; start++)
            {
                if (found[start] is not { } entries) continue;
                // Behind a refused CWD the names are another directory's.
                if (replies[next++].IsSuccess) described[start] = FromMlst(entries, replies, next);
                next += entries.Count;
            }
        }
        return described;
    }

    // A name that begins with a tilde is a home directory for some servers.
    private bool IsDescribable(RemoteEntry entry) =>
        entry is { Type: RemoteEntryType.File or RemoteEntryType.Directory, Name: not ['~', ..] }
        && FtpNames.WhyUnsendable(entry.Name, _context.Control.Encoding) is null;

    private List<RemoteEntry>? FromMlst(IReadOnlyList<RemoteEntry> entries, IReadOnlyList<FtpReply> replies, int next)
    {
        var described = new List<RemoteEntry>(entries.Count);
        foreach (var entry in entries)
        {
            if (FtpLookUp.FromMlst(_context, entry.Path, replies[next++]) is not { } known) return null;
            described.Add(known);
        }
        return described;
    }

    /// <summary>Sends STAT of one directory, once a host, for <see cref="Compare"/> with a listing before STAT is trusted.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="ct">Cancels.</param>
    /// <returns>The entries; null: STAT shows none, or not all.</returns>
    public async Task<IReadOnlyList<RemoteEntry>?> TryAsync(string directory, CancellationToken ct)
    {
        try
        {
            return (await StatAsync([directory], null, ct).ConfigureAwait(false)).Entries[0];
        }
        catch (TransferConnectionException e) when (e.Error is TransferError.Protocol or TransferError.Timeout)
        {
            LeaveFor(e);
            throw;
        }
    }

    /// <summary>
    /// Whether a directory has no more entries than STAT was seen to show, and those with a leading dot; else the lines may be cut. As many
    /// as in the longest directory may be the limit.
    /// </summary>
    public bool MayShowAll(IReadOnlyList<RemoteEntry> found) => !_hidesDots
        && (ShowsAll || found.Count < _context.Host.LongestFound || found.Count < LeastLimit && found.Count == _context.Host.LongestFound);

    /// <summary>Compares what STAT has found of a directory with a listing.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="found">The entries that STAT shows; null: none, or not all.</param>
    /// <param name="listed">The names and types of the listing.</param>
    public void Compare(string directory, IReadOnlyList<RemoteEntry>? found, IReadOnlyDictionary<string, RemoteEntryType> listed)
    {
        if (found is null) _context.Ladders.Find.Leave(FtpOffer.Used, "STAT shows no entries that a listing shows");
        else if (IsSame(found, listed)) _context.Host.NoteFound(found.Count);
        else if (found.FirstOrDefault(entry => IsOther(entry, listed)) is { } other)
            _context.Ladders.Find.Leave(FtpOffer.Used, $"STAT shows {other.Name} in {directory} as a {other.Type}, and a listing does not");
        else _differences++;
    }

    private static bool IsOther(RemoteEntry found, IReadOnlyDictionary<string, RemoteEntryType> listed) =>
        found.Type != RemoteEntryType.Link && listed.TryGetValue(found.Name, out var type) && type != found.Type;

    // MLSD follows links on some servers, and omits those that lead nowhere.
    private static bool IsSame(IReadOnlyList<RemoteEntry> found, IReadOnlyDictionary<string, RemoteEntryType> listed)
    {
        var names = found.Select(entry => entry.Name).ToHashSet(StringComparer.Ordinal);
        return listed.Keys.All(names.Contains)
            && found.All(entry => entry.Type == RemoteEntryType.Link || listed.ContainsKey(entry.Name) && !IsOther(entry, listed));
    }

    private async ValueTask<IReadOnlyList<RemoteEntry>?> ReadAsync(string directory, FtpReply reply, FtpReplyLines lines,
        CancellationToken ct)
    {
        if (reply.Code >= 400) return null;
        if (reply.Code is < 211 or > 213) throw Broken($"the reply {reply.Code} to STAT");
        if (lines.IsTooLong)
        {
            _tooLong++;
            return null;
        }
        var (entries, summary, rest) = (new List<RemoteEntry>(), new ListingSummary(), lines.Text);
        var clock = new ListingContext { Now = _context.Options.TimeProvider.GetUtcNow(), Offset = _context.Options.ListingOffset };
        var read = ListingReader.ReadAsync((buffer, _) => new(Take(ref rest, buffer)), ListingKind.List, directory,
            _context.Control.Encoding, clock, summary, _context.Logger, ct);
        await foreach (var entry in read.ConfigureAwait(false))
            entries.Add(_context.HasExactLengths ? entry : entry with { IsLengthApproximate = true });
        if (summary.Skipped > 0 || entries.Count > 0 && !summary.IsUnix)
            throw Broken($"a line that fits nothing ({summary.FirstSkipped})");
        if (summary.Dropped > 0 || entries.Count == 0) return null;
        _hidesDots |= !summary.HasDots;
        _found++;
        Seen.Add(entries);
        return entries;
    }

    private static int Take(ref ReadOnlyMemory<byte> rest, Memory<byte> buffer)
    {
        var count = Math.Min(rest.Length, buffer.Length);
        rest[..count].CopyTo(buffer);
        rest = rest[count..];
        return count;
    }

    private TransferConnectionException Broken(string what)
    {
        var fault = new TransferConnectionException(TransferError.Protocol, $"The server's answers to STAT hold {what}.")
        {
            IsTransient = true
        };
        _context.Control.Break(fault);
        return fault;
    }
}
