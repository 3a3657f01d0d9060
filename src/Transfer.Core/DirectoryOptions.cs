namespace Transfer;

/// <summary>How a folder is uploaded, downloaded or copied.</summary>
public sealed record DirectoryOptions : FolderOptions
{
    /// <summary>What to do with files that exist.</summary>
    public Overwrite Overwrite { get; init; } = Overwrite.Fail;

    /// <summary>
    /// A file in which the job remembers what it has done, so that it can be continued after whatever broke it off; deleted when the job has ended
    /// without a failure. Its folder is made if need be. Null: none, and what is broken off starts over.
    /// </summary>
    public string? Journal { get; init; }

    /// <summary>
    /// Continues the job of which <see cref="Journal"/> tells: files that are there are not sent again, and large ones go on where they were broken off,
    /// after a look at what there is of them. Where there is no such journal, the job begins.
    /// </summary>
    public bool Resume { get; init; }

    internal override Overwrite Existing => Overwrite;

    internal override string? JournalFile => DryRun ? null : Journal;

    internal override bool Resumes => Resume;
}
