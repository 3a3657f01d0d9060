namespace Transfer;

/// <summary>What the connected server can do, as far as it said.</summary>
public sealed record TransferFeatures
{
    /// <summary>The server's software as it names itself, or null.</summary>
    public string? Server { get; init; }

    /// <summary>A file can be renamed over an existing one in one step. Null: not known before it was tried.</summary>
    public bool? RenameReplaces { get; init; }

    /// <summary>Downloads can start at an offset.</summary>
    public bool ReadsAtOffset { get; init; }

    /// <summary>Several sessions can fetch one file together, a segment each (see <see cref="Sessions.WorkItem.IsSegment"/>).</summary>
    public bool SegmentedDownloads { get; init; }

    /// <summary>Several sessions can write one file together, a segment each. False: a file is written whole and in order.</summary>
    public bool SegmentedUploads { get; init; }

    /// <summary>An upload can go on at the end of what is there of it.</summary>
    public bool ContinuedUploads { get; init; }

    /// <summary>Files can be copied inside the server, without their bytes coming here.</summary>
    public bool CopiesFiles { get; init; }

    /// <summary>What is at an upload's target can be asked for beside its content, at the cost of no round trip (see <see cref="Sessions.WorkItem.MustSeeTarget"/>).</summary>
    public bool LooksBesideContent { get; init; }

    /// <summary>Modification times can be set, for sure.</summary>
    public bool SetsModified { get; init; }

    /// <summary>Permissions can be set.</summary>
    public bool SetsMode { get; init; }

    /// <summary>Finest step of the modification times that listings give.</summary>
    public TimeSpan? TimePrecision { get; init; }

    /// <summary>Hash algorithms the server computes on its side, by their common names: <c>SHA-256</c>, <c>MD5</c>, <c>CRC32</c>.</summary>
    public IReadOnlyList<string> Hashes { get; init; } = [];
}
