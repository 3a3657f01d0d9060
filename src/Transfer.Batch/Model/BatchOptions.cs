using Transfer.Batch;

namespace Transfer;

/// <summary>How a directory is uploaded or downloaded that may go in a batch.</summary>
public sealed record BatchOptions
{
    /// <summary>Whether the directory goes in a batch or file by file.</summary>
    public BatchMode Mode { get; init; }

    /// <summary>How the directory is transferred, in a batch or file by file.</summary>
    public DirectoryOptions Directory { get; init; } = new();

    internal TrialSizes Trial { get; init; } = TrialSizes.Usual;
}
