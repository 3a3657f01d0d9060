using Transfer.Filters;
using Transfer.Journal;

namespace Transfer;

/// <summary>The options that all jobs of whole folders share.</summary>
public abstract record DirectoryJobOptions : TransferOptions
{
    private protected DirectoryJobOptions()
    {
    }

    /// <summary>What to do with symbolic links.</summary>
    public LinkHandling Links { get; init; }

    /// <summary>
    /// What becomes of names that the target can't have. <see cref="ItemResult.MappedTo"/> says what an item is called there. It is to be the same each time that a folder is sent to a target, or a file goes there again under
    /// its other name. The texts of links are never mapped.
    /// </summary>
    public NameMapping NameMapping { get; init; }

    /// <summary>What of the folder is meant; null: all of it.</summary>
    public TransferFilter? Filter { get; init; }

    /// <summary>
    /// Changes nothing on either side. The items (<see cref="TransferJob.ReadItemsAsync"/>) and the counts of the <see cref="JobResult"/> tell what would be done, with the lengths of
    /// files as far as they are known.
    /// </summary>
    public bool DryRun { get; init; }

    /// <summary>Sessions to use, at least 1; null: what <see cref="TransferClientOptions.MaxSessions"/> and the server allow.</summary>
    public int? Sessions { get; init; }

    /// <summary>What alone of the folder is meant, by name; null: all of it.</summary>
    internal ItemSelection? Only { get; init; }

    /// <summary>Told of every folder that the job makes whether there is something in it or not; null: nobody asks.</summary>
    internal IProgress<string>? Folders { get; init; }

    /// <summary>The journal of a job that this one is a part of; a dry run knows by it what the job has done. Null: it has its own, or none.</summary>
    internal LentJournal? Lent { get; init; }

    /// <inheritdoc/>
    internal override void Validate()
    {
        base.Validate();
        var rules = Rules;
        rules.Defined(Links);
        rules.Defined(NameMapping);
        rules.AtLeast(Sessions, 1);
    }

    /// <inheritdoc/>
    internal override JournalSettings? Journaling => DryRun ? null : base.Journaling;

    /// <inheritdoc/>
    internal override JobLockSettings? Locking => DryRun || Lent is not null ? null : base.Locking;
}
