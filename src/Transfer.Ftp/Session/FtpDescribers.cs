namespace Transfer.Ftp.Session;

/// <summary>
/// The commands that have described an entry at a host: a refusal of one of them says from then on that there is none. Every member only
/// ever goes one way.
/// </summary>
internal sealed class FtpDescribers
{
    private volatile bool _byMlst;
    private volatile bool _bySize;
    private volatile bool _byTime;

    /// <summary>MLST.</summary>
    public bool ByMlst { get => _byMlst; set => _byMlst |= value; }

    /// <summary>SIZE.</summary>
    public bool BySize { get => _bySize; set => _bySize |= value; }

    /// <summary>MDTM.</summary>
    public bool ByTime { get => _byTime; set => _byTime |= value; }
}
