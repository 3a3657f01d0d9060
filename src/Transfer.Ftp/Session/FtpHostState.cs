using System.Collections.Concurrent;
using Transfer.Ftp.Ladders;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// Facts about a host that cost failures to learn, kept for the process so that later sessions need not learn them again. Every member
/// changes only one way.
/// </summary>
internal sealed class FtpHostState
{
    private const int MostBusy = 1000;

    private static readonly ConcurrentDictionary<string, FtpHostState> Hosts = new(StringComparer.OrdinalIgnoreCase);

    private readonly ConcurrentDictionary<string, ReplacementMemory> _renames = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, bool> _busyListings = new(StringComparer.Ordinal);
    private volatile bool _takesTls13;
    private volatile bool _knowsEpsv;
    private volatile bool _reachesEpsv;
    private volatile bool _logsInTogether;
    private volatile bool _listsByMlsd;
    private volatile bool _takesPairs;
    private volatile bool _takesSpaces;
    private volatile bool _takesSpacesAtEnd;
    private long _farthestOffset;
    private int _longestFound;
    private int _unconfirmedEnds;
    private int _refusedListings;

    /// <summary>Whether protected data connections of one session have succeeded more than once under TLS 1.3.</summary>
    public bool TakesTls13 { get => _takesTls13; set => _takesTls13 |= value; }

    /// <summary>How far down its ladders the host is.</summary>
    public FtpRungs Rungs { get; } = new();

    /// <summary>Whether EPSV worked once.</summary>
    public bool KnowsEpsv { get => _knowsEpsv; set => _knowsEpsv |= value; }

    /// <summary>Whether a transfer over a port that EPSV named has succeeded once.</summary>
    public bool ReachesEpsv { get => _reachesEpsv; set => _reachesEpsv |= value; }

    /// <summary>Whether a log-in in one write has succeeded once.</summary>
    public bool LogsInTogether { get => _logsInTogether; set => _logsInTogether |= value; }

    /// <summary>Whether MLSD has listed a directory once.</summary>
    public bool ListsByMlsd { get => _listsByMlsd; set => _listsByMlsd |= value; }

    /// <summary>Whether a transfer has succeeded once that had its command sent with the announcement of its data connection.</summary>
    public bool TakesPairs { get => _takesPairs; set => _takesPairs |= value; }

    /// <summary>Whether the server was seen to read names beyond a space.</summary>
    public bool TakesSpaces { get => _takesSpaces; set => _takesSpaces |= value; }

    /// <summary>Whether the server was seen to read the spaces at the end of names.</summary>
    public bool TakesSpacesAtEnd { get => _takesSpacesAtEnd; set => _takesSpacesAtEnd |= value; }

    /// <summary>Whether a download at such an offset was seen to begin there. Some servers read a number of 32 bits.</summary>
    public bool TakesOffset(long offset) => Volatile.Read(ref _farthestOffset) > (IsLong(offset) ? int.MaxValue : 0);

    /// <summary>Notes that a download at an offset was seen to begin there.</summary>
    public void NoteOffset(long offset)
    {
        // A note that another one overwrites costs another proof.
        if (!TakesOffset(offset)) Volatile.Write(ref _farthestOffset, offset);
    }

    /// <summary>Whether an offset needs more than 32 bits, with a sign.</summary>
    public static bool IsLong(long offset) => offset > int.MaxValue;

    /// <summary>Looks behind confirmed changes.</summary>
    public ConfirmedChanges Changes { get; } = new();

    /// <summary>Whether STAT has shown the same entries of a directory as a listing.</summary>
    public bool FindsByStat => LongestFound > 0;

    /// <summary>The most entries of a directory that STAT has shown like a listing.</summary>
    public int LongestFound => Volatile.Read(ref _longestFound);

    /// <summary>Notes that STAT has shown the same entries of a directory as a listing.</summary>
    /// <param name="count">The number of entries.</param>
    public void NoteFound(int count)
    {
        for (var known = LongestFound; known < count;)
        {
            var before = Interlocked.CompareExchange(ref _longestFound, count, known);
            if (before == known) return;
            known = before;
        }
    }

    /// <summary>The directories in which new files replace none.</summary>
    public FtpNewNames NewNames { get; } = new();

    /// <summary>The commands that have described an entry.</summary>
    public FtpDescribers Describes { get; } = new();

    /// <summary>A data connection under TLS ended without close_notify, and all of the file was there. True: for the first time.</summary>
    public bool NoteUnconfirmedEnd() => Interlocked.Increment(ref _unconfirmedEnds) == 1;

    /// <summary>The listing of a directory that exists was refused. True: for the first time.</summary>
    public bool NoteRefusedListing() => Interlocked.Increment(ref _refusedListings) == 1;

    /// <summary>The listing of a directory was refused for a moment. True: not for the first time.</summary>
    public bool NoteBusyListing(string directory)
    {
        if (_busyListings.Count > MostBusy) _busyListings.Clear();
        return !_busyListings.TryAdd(directory, true);
    }

    /// <summary>Whether RNFR is answered.</summary>
    public FtpRenameReplies RenameReplies { get; } = new();

    /// <summary>Returns the proved facts about renames, for one user.</summary>
    public ReplacementMemory RenamesOf(string user) => _renames.GetOrAdd(user, static _ => new ReplacementMemory());

    public static FtpHostState For(string host, int port) => Hosts.GetOrAdd($"{host}:{port}", static _ => new FtpHostState());
}
