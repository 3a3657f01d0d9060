namespace Transfer;

/// <summary>How a folder is uploaded, downloaded or copied.</summary>
public sealed record DirectoryOptions : FolderOptions
{
    /// <summary>What to do with files that exist.</summary>
    public Overwrite Overwrite { get; init; } = Overwrite.Fail;

    internal override Overwrite Existing => Overwrite;
}
