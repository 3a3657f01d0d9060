using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.FluentFtp.Session;

/// <summary>
/// The knowledge of a server that the sessions of one client share. Thread-safe: each property is set once, or always to the same value.
/// </summary>
internal sealed class HostKnowledge
{
    private volatile bool _describesByMlst;
    private volatile bool _describesBySize;
    private volatile bool _lacksModes;
    private volatile bool _takesOffsets;
    private volatile bool _ignoresOffsets;

    /// <summary>The proved facts about renames.</summary>
    public ReplacementMemory Renames { get; } = new();

    /// <summary>Looks behind confirmed changes.</summary>
    public ConfirmedChanges Changes { get; } = new();

    /// <summary>Whether a download at an offset was seen to begin there.</summary>
    public bool TakesOffsets
    {
        get => _takesOffsets;
        set => _takesOffsets = value;
    }

    /// <summary>Whether the server was seen to send a file from the first byte behind REST.</summary>
    public bool IgnoresOffsets
    {
        get => _ignoresOffsets;
        set => _ignoresOffsets = value;
    }

    /// <summary>Whether MLST has described an entry: a 550 to MLST then proves absence.</summary>
    public bool DescribesByMlst
    {
        get => _describesByMlst;
        set => _describesByMlst = value;
    }

    /// <summary>Whether SIZE has described a file: a 550 to SIZE, where CWD is refused, too, then proves absence.</summary>
    public bool DescribesBySize
    {
        get => _describesBySize;
        set => _describesBySize = value;
    }

    /// <summary>Whether the server lacks SITE CHMOD.</summary>
    public bool LacksModes
    {
        get => _lacksModes;
        set => _lacksModes = value;
    }
}
