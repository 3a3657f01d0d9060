using Transfer.Replacing;

namespace Transfer.FluentFtp.Session;

/// <summary>
/// What the sessions of one client have found out about their server. Thread-safe: each is set once, or says the same whoever sets it.
/// </summary>
internal sealed class HostKnowledge
{
    private volatile bool _describesByMlst;
    private volatile bool _describesBySize;
    private volatile bool _lacksModes;

    /// <summary>What was proved about renames.</summary>
    public ReplacementMemory Renames { get; } = new();

    /// <summary>MLST has described an entry: a 550 of its proves absence.</summary>
    public bool DescribesByMlst
    {
        get => _describesByMlst;
        set => _describesByMlst = value;
    }

    /// <summary>SIZE has described a file: a 550 of its, where CWD is refused too, proves absence.</summary>
    public bool DescribesBySize
    {
        get => _describesBySize;
        set => _describesBySize = value;
    }

    /// <summary>The server knows no SITE CHMOD.</summary>
    public bool LacksModes
    {
        get => _lacksModes;
        set => _lacksModes = value;
    }
}
