namespace Transfer;

/// <summary>How a folder is made like another one.</summary>
public sealed record SyncOptions : DirectoryJobOptions
{
    /// <summary>Creates options with the defaults. <see cref="TransferOptions.Overwrite"/> is <see cref="OverwriteMode.Always"/>: a synchronisation replaces what differs, and takes nothing else.</summary>
    public SyncOptions() => Overwrite = OverwriteMode.Always;

    /// <summary>How files that are on both sides are compared.</summary>
    public SyncComparison Compare { get; init; }

    /// <summary>
    /// Deletes what the source has not: after everything was transferred, and only if all files were. What <see cref="DirectoryJobOptions.Filter"/> leaves out stays,
    /// and so does everything in a folder that could not be read at the source.
    /// </summary>
    public bool Delete { get; init; }

    /// <summary>Lets <see cref="Delete"/> work for a source without a single file too. Otherwise such a job fails: most likely the source is not what was meant.</summary>
    public bool DeleteForEmptySource { get; init; }

    /// <summary>
    /// With <see cref="Delete"/>: a file that is new at the source is renamed at the target instead of sent, where just one file there that would be deleted has its
    /// length, its time and, as far as that can be had without moving it all, its content.
    /// </summary>
    public bool DetectMoves { get; init; } = true;

    /// <summary>
    /// The most that <see cref="Delete"/> may delete; null: any number. Where it would be more, everything is transferred, nothing is deleted, and the job has a failure of the kind
    /// <see cref="TransferError.Denied"/> for the path <c>.</c>: see <see cref="JobResult.NotDeleted"/>.
    /// </summary>
    public DeletionLimit? MaxDelete { get; init; }

    /// <summary>Told once what is about to be deleted, before the first deletion, and in a dry run too; not where nothing is to be deleted. What it throws ends the job.</summary>
    public IProgress<DeletionSummary>? Deletions { get; init; }

    /// <inheritdoc/>
    internal override void Validate()
    {
        base.Validate();
        Rules.Defined(Compare);
        Rules.Require(Overwrite == OverwriteMode.Always, nameof(Overwrite), "must be OverwriteMode.Always: a synchronisation replaces what differs");
    }
}
