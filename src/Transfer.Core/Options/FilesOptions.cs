namespace Transfer;

/// <summary>Options of a job that uploads or downloads files named one by one.</summary>
/// <remarks>
/// A <see cref="TransferOptions.Journal"/> must be named by the caller: the files come from outside, so there is no default place. The
/// journal remembers each file by source and target. With <see cref="TransferOptions.Resume"/> a file that is named again is not sent again
/// if it is at its target and the source has the same length and time as then; so the files may come in another order, and new ones with
/// them. An unfinished file that is not named again is deleted at the end.
/// </remarks>
public sealed record FilesOptions : FileJobOptions
{
    /// <inheritdoc cref="DirectoryJobOptions.Sessions"/>
    public int? Sessions { get; init; }

    /// <inheritdoc/>
    internal override void Validate()
    {
        base.Validate();
        var rules = Rules;
        rules.AtLeast(Sessions, 1);
        rules.Require(!Resume || Journal is not null, nameof(Resume), "must not be set without Journal, which alone identifies the job");
    }
}
