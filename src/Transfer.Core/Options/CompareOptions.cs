namespace Transfer;

/// <summary>The options of a comparison of two folders.</summary>
public sealed record CompareOptions
{
    /// <summary>The comparison of files that both folders have.</summary>
    public SyncComparison Compare { get; init; }

    /// <summary>
    /// The handling of symbolic links: they are left out, compared by their texts (<see cref="LinkHandling.Copy"/>), or stand for their
    /// targets.
    /// </summary>
    public LinkHandling Links { get; init; }

    /// <inheritdoc cref="DirectoryJobOptions.NameMapping"/>
    public NameMapping NameMapping { get; init; }

    /// <summary>The part of the folders to compare; null: all.</summary>
    public TransferFilter? Filter { get; init; }

    /// <inheritdoc cref="DirectoryJobOptions.Sessions"/>
    public int? Sessions { get; init; }

    /// <summary>The dry synchronisation whose items are the comparison.</summary>
    internal SyncOptions Synchronization => new()
    {
        Compare = Compare,
        Links = Links,
        NameMapping = NameMapping,
        Filter = Filter,
        Sessions = Sessions,
        DryRun = true,
        Delete = true,
        DeleteForEmptySource = true,
        DetectMoves = false,
    };
}
