namespace Transfer;

/// <summary>How a folder is uploaded, downloaded or copied.</summary>
public sealed record DirectoryOptions : DirectoryJobOptions;
