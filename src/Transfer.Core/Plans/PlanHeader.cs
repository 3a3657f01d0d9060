namespace Transfer;

/// <summary>The job of a plan and one of its parts: the first line of a manifest.</summary>
public sealed record PlanHeader
{
    /// <summary>The version of the formats in this release.</summary>
    public const int CurrentVersion = 1;

    /// <summary>The identity of the plan: manifests, results and summary of one plan have the same.</summary>
    public string Id { get; init; } = Guid.NewGuid().ToString("N");

    /// <summary>The folder that is read: a URL without a password, or a local path.</summary>
    public required string Source { get; init; }

    /// <summary>The folder that is made like the source: a URL without a password, or a local path.</summary>
    public required string Target { get; init; }

    /// <summary>The number of the part, from 0; 0 in the last phase.</summary>
    public int Part { get; init; }

    /// <summary>The number of parts.</summary>
    public int Parts { get; init; } = 1;

    /// <summary>Whether this is the last phase: deletions and empty folders, after all parts.</summary>
    public bool IsFinal { get; init; }

    /// <summary>See <see cref="SyncOptions.Compare"/>.</summary>
    public SyncComparison Compare { get; init; }

    /// <summary>See <see cref="DirectoryJobOptions.Links"/>.</summary>
    public LinkHandling Links { get; init; }

    /// <summary>See <see cref="DirectoryJobOptions.NameMapping"/>.</summary>
    public NameMapping NameMapping { get; init; }

    /// <summary>See <see cref="SyncOptions.DeleteForEmptySource"/>.</summary>
    public bool DeleteForEmptySource { get; init; }

    /// <summary>Returns the header of a plan.</summary>
    /// <param name="source">The folder that is read: a URL without a password, or a local path.</param>
    /// <param name="target">The folder that is made like the source.</param>
    /// <param name="options">The options of the plan, of which the manifests keep those that all parts must share.</param>
    public static PlanHeader Of(string source, string target, SyncOptions options)
    {
        ArgumentException.ThrowIfNullOrEmpty(source);
        ArgumentException.ThrowIfNullOrEmpty(target);
        ArgumentNullException.ThrowIfNull(options);
        return new()
        {
            Source = source,
            Target = target,
            Compare = options.Compare,
            Links = options.Links,
            NameMapping = options.NameMapping,
            DeleteForEmptySource = options.DeleteForEmptySource,
        };
    }

    /// <inheritdoc cref="TransferShard.ShareOf(long)"/>
    public long ShareOf(long total) => IsFinal ? total : TransferShard.ShareOf(total, Part, Parts);

    /// <summary>Returns options with those values that all parts share.</summary>
    internal SyncOptions For(SyncOptions options) => options with
    {
        Compare = Compare,
        Links = Links,
        NameMapping = NameMapping,
        DeleteForEmptySource = DeleteForEmptySource,
    };
}
