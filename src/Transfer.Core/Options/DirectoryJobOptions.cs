using Transfer.Filters;
using Transfer.Journal;

namespace Transfer;

/// <summary>The options common to all jobs of whole folders.</summary>
public abstract record DirectoryJobOptions : TransferOptions
{
    private protected DirectoryJobOptions()
    {
    }

    /// <summary>The handling of symbolic links.</summary>
    public LinkHandling Links { get; init; }

    /// <summary>
    /// The handling of names that the target can't have. <see cref="ItemResult.MappedTo"/> holds an item's name at the target. Keep one
    /// value for a folder and its target: with another, files are sent again under other names. The texts of links are never mapped.
    /// </summary>
    public NameMapping NameMapping { get; init; }

    /// <summary>The part of the folder to transfer; null: all.</summary>
    public TransferFilter? Filter { get; init; }

    /// <summary>
    /// Whether to change nothing on either side. The items (<see cref="TransferJob.ReadItemsAsync"/>) and the counts of the
    /// <see cref="JobResult"/> show the planned actions, with the lengths of files as far as known.
    /// </summary>
    public bool DryRun { get; init; }

    /// <summary>
    /// The number of sessions, at least 1; null: by <see cref="TransferClientOptions.MaxSessions"/> and the server's limit.
    /// </summary>
    public int? Sessions { get; init; }

    /// <summary>The only entries of the folder to transfer, by name; null: all.</summary>
    internal ItemSelection? Only { get; init; }

    /// <summary>The entries of the folder that take no part, by their paths relative to the folder; null: none.</summary>
    internal IReadOnlySet<string>? Without { get; init; }

    /// <summary>Takes over files that are to be sent; null: the job sends all.</summary>
    internal IFileTaker? Taker { get; init; }

    /// <summary>Receives every folder that the job makes, empty or not; null: none.</summary>
    internal IProgress<string>? Folders { get; init; }

    /// <summary>Receives every folder that the target lacks and the job makes, or in a dry run would make; null: none.</summary>
    internal IProgress<string>? NewFolders { get; init; }

    /// <summary>
    /// Whether a dry run reports what a plan for several machines needs: new folders without files as items, and
    /// <see cref="ItemResult.Group"/>.
    /// </summary>
    internal bool IsPlan { get; init; }

    /// <summary>
    /// Whether the job is a part of a companion's job, also where the part is a dry run: the companion then does what is planned.
    /// </summary>
    internal bool IsPart { get; init; }

    /// <summary>
    /// The journal of a parent job, from which a dry run knows the parent's finished items. Null: a separate journal, or none.
    /// </summary>
    internal LentJournal? Lent { get; init; }

    /// <inheritdoc/>
    internal override void Validate()
    {
        base.Validate();
        var rules = Rules;
        rules.Defined(Links);
        rules.Defined(NameMapping);
        rules.AtLeast(Sessions, 1);
        rules.Require(!DisposesSource || Links != LinkHandling.Follow, nameof(Links),
            "must not be LinkHandling.Follow where sources are removed or moved: a link is not the file");
    }

    /// <inheritdoc/>
    internal override JournalSettings? Journaling => DryRun || base.Journaling is not { } journaling
        ? null : journaling with { Part = Filter?.Shard?.ToString() };

    /// <inheritdoc/>
    internal override JobLockSettings? Locking => DryRun || Lent is not null ? null : base.Locking;
}
