namespace Transfer;

/// <summary>How many files are uploaded or downloaded in one job that are named one by one.</summary>
public sealed record FilesOptions : FileJobOptions
{
    /// <inheritdoc cref="DirectoryJobOptions.Sessions"/>
    public int? Sessions { get; init; }

    /// <inheritdoc cref="DirectoryJobOptions.Finish"/>
    public CancellationToken Finish { get; init; }

    /// <inheritdoc cref="DirectoryJobOptions.Items"/>
    public IProgress<ItemResult>? Items { get; init; }

    /// <inheritdoc/>
    internal override void Validate()
    {
        base.Validate();
        const string Rule = "must not be set: which files the job will have is not known when it begins";
        var rules = Rules;
        rules.AtLeast(Sessions, 1);
        rules.Require(Journal is null, nameof(Journal), Rule);
        rules.Require(!Resume, nameof(Resume), Rule);
    }
}
