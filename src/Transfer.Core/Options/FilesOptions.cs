namespace Transfer;

/// <summary>How files are uploaded or downloaded in one job that are named one by one.</summary>
/// <remarks>
/// A <see cref="TransferOptions.Journal"/> is the job's own: which one that is, is for the caller to say, since the files come from outside: there is no default place. It remembers each file by its source and its target. With
/// <see cref="TransferOptions.Resume"/> a file that is named again is not sent again if it is at its target, and its source has the length and the time that it had then; so the files
/// may come in another order, and others with them. An unfinished file that is not named again is deleted at the end.
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
        rules.Require(!Resume || Journal is not null, nameof(Resume), "must not be set without Journal: which job it is shows by that alone");
    }
}
