using System.Collections.Concurrent;
using Transfer.Replacing;

namespace Transfer.Ftp.Session;

/// <summary>
/// Facts about a host that cost failures to learn, kept for the process so that later sessions need not learn them again. Every member
/// changes only one way.
/// </summary>
internal sealed class FtpHostState
{
    private static readonly ConcurrentDictionary<string, FtpHostState> Hosts = new(StringComparer.OrdinalIgnoreCase);

    private readonly ConcurrentDictionary<string, ReplacementMemory> _renames = new(StringComparer.Ordinal);
    private volatile bool _serial;
    private volatile bool _resumesTls12Only;
    private volatile bool _takesTls13;
    private volatile bool _noEpsv;
    private volatile bool _knowsEpsv;
    private volatile bool _noSiteUtime;
    private volatile bool _noSiteChmod;
    private volatile bool _noMlst;
    private volatile bool _noRang;
    private volatile bool _noOffsets;

    /// <summary>Whether replies came out of order or went missing: one command at a time from now on.</summary>
    public bool Serial { get => _serial; set => _serial |= value; }

    /// <summary>Whether data connections must resume the control connection's TLS session, which .NET does under TLS 1.2 only.</summary>
    public bool ResumesTls12Only { get => _resumesTls12Only; set => _resumesTls12Only |= value; }

    /// <summary>Whether protected data connections of one session have succeeded more than once under TLS 1.3.</summary>
    public bool TakesTls13 { get => _takesTls13; set => _takesTls13 |= value; }

    /// <summary>Whether EPSV is refused: PASV is sent instead.</summary>
    public bool NoEpsv { get => _noEpsv; set => _noEpsv |= value; }

    /// <summary>Whether EPSV worked once.</summary>
    public bool KnowsEpsv { get => _knowsEpsv; set => _knowsEpsv |= value; }

    /// <summary>Whether SITE UTIME is unknown to the host.</summary>
    public bool NoSiteUtime { get => _noSiteUtime; set => _noSiteUtime |= value; }

    /// <summary>Whether SITE CHMOD is unknown to the host.</summary>
    public bool NoSiteChmod { get => _noSiteChmod; set => _noSiteChmod |= value; }

    /// <summary>Whether MLST is unknown to the host, though MLSD may be known.</summary>
    public bool NoMlst { get => _noMlst; set => _noMlst |= value; }

    /// <summary>The commands that have described an entry.</summary>
    public FtpDescribers Describes { get; } = new();

    /// <summary>Whether RANG is announced, but refused.</summary>
    public bool NoRang { get => _noRang; set => _noRang |= value; }

    /// <summary>Whether REST is announced, but refused or ignored.</summary>
    public bool NoOffsets { get => _noOffsets; set => _noOffsets |= value; }

    /// <summary>Returns the proved facts about renames, for one user.</summary>
    public ReplacementMemory RenamesOf(string user) => _renames.GetOrAdd(user, static _ => new ReplacementMemory());

    public static FtpHostState For(string host, int port) => Hosts.GetOrAdd($"{host}:{port}", static _ => new FtpHostState());
}
