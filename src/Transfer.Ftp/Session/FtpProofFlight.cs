using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// Commands that distinguish directories from links, to be sent together with others: CWD and PWD where PWD shows the path on the disk
/// (<see cref="FtpCanonicalPaths"/>), MLST where a size tells a link. A line of MLSD is no proof: a name with a line end can make one that
/// shows a link as a directory. MLST describes what was asked for.
/// </summary>
internal sealed class FtpProofFlight
{
    private readonly FtpSessionContext _context;
    private readonly IReadOnlyList<RemoteEntry> _entries;
    private readonly List<int> _described = []; // by MLST

    /// <param name="context">The session, of a host that is served (<see cref="Serves"/>).</param>
    /// <param name="entries">Entries of one directory or several.</param>
    public FtpProofFlight(FtpSessionContext context, IReadOnlyList<RemoteEntry> entries)
    {
        (_context, _entries) = (context, entries);
        if (context.Profile.PrintsCanonicalPaths)
        {
            Commands = FtpCanonicalPaths.CommandsFor(context, entries);
            return;
        }
        for (var i = 0; i < entries.Count; i++)
        {
            if (context.WhyUnsendable(entries[i].Path) is null) _described.Add(i);
        }
        Commands = _described.ConvertAll(i => new FtpCommand("MLST", context.Expand(entries[i].Path)));
    }

    /// <summary>The commands.</summary>
    public IReadOnlyList<FtpCommand> Commands { get; }

    /// <summary>Whether a host has such commands.</summary>
    public static bool Serves(FtpSessionContext context) =>
        context.Profile.PrintsCanonicalPaths || context.Profile.SizesTellLinks && context.TakesMlst;

    /// <summary>Returns one proof an entry, in order, by the replies to <see cref="Commands"/>.</summary>
    public DirectoryProof[] Judge(IReadOnlyList<FtpReply> replies)
    {
        if (_context.Profile.PrintsCanonicalPaths) return FtpCanonicalPaths.Judge(_context, _entries, replies);
        var proofs = new DirectoryProof[_entries.Count];
        for (var at = 0; at < _described.Count; at++)
        {
            proofs[_described[at]] = FtpLookUp.FromMlst(_context, _entries[_described[at]].Path, replies[at]) switch
            {
                { Type: RemoteEntryType.Directory, Length: null } => DirectoryProof.Child,
                { Type: RemoteEntryType.Directory or RemoteEntryType.Link } => DirectoryProof.Link,
                _ => DirectoryProof.Unknown,
            };
        }
        return proofs;
    }
}
