namespace Transfer;

/// <summary>Options for making one folder like another.</summary>
public sealed record SyncOptions : DirectoryJobOptions
{
    /// <summary>
    /// Creates options with default values. <see cref="TransferOptions.Overwrite"/> is <see cref="OverwriteMode.Always"/>: a
    /// synchronisation replaces files that differ, and accepts no other value.
    /// </summary>
    public SyncOptions() => Overwrite = OverwriteMode.Always;

    /// <summary>The comparison of files that exist on both sides.</summary>
    public SyncComparison Compare { get; init; }

    /// <summary>
    /// Whether to delete entries that the source lacks: after all transfers, and only if all files were transferred. Entries outside
    /// <see cref="DirectoryJobOptions.Filter"/> stay, and so does everything in a folder that could not be read at the source.
    /// </summary>
    public bool Delete { get; init; }

    /// <summary>
    /// Whether <see cref="Delete"/> works for a source without a single file too. If not, such a job fails: most likely the source is
    /// wrong.
    /// </summary>
    public bool DeleteForEmptySource { get; init; }

    /// <summary>
    /// With <see cref="Delete"/>: whether a file that is new at the source is renamed at the target instead of sent, if exactly one of the
    /// target's files to be deleted has its length, time and, as far as can be known without moving all, content.
    /// </summary>
    public bool DetectMoves { get; init; } = true;

    /// <summary>
    /// The limit of <see cref="Delete"/>; null: none. Beyond that, everything is transferred, nothing is deleted, and the job has a failure
    /// of the kind <see cref="TransferError.Denied"/> for the path <c>.</c>: see <see cref="JobResult.NotDeleted"/>.
    /// </summary>
    public DeletionLimit? MaxDelete { get; init; }

    /// <summary>
    /// Receives a summary once before the first deletion, and in a dry run too; not without deletions. An exception from here ends the job.
    /// </summary>
    public IProgress<DeletionSummary>? Deletions { get; init; }

    /// <summary>Holds files back that are not complete yet; null: none is.</summary>
    internal IFileGate? Gate { get; init; }

    /// <summary>The steps of a plan, which <see cref="DirectoryJobOptions.Only"/> names; null: no plan is applied.</summary>
    internal PlannedSteps? Steps { get; init; }

    /// <inheritdoc/>
    internal override void Validate()
    {
        base.Validate();
        Rules.Defined(Compare);
        Rules.Require(!DisposesSource || !Delete, nameof(Delete),
            "must not be set where sources are removed or moved: the next run would delete what this one has sent");
        Rules.Require(Overwrite == OverwriteMode.Always, nameof(Overwrite),
            "must be OverwriteMode.Always: a synchronisation replaces files that differ");
    }
}
