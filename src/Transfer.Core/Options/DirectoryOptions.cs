namespace Transfer;

/// <summary>Options for the upload, download or copy of a folder.</summary>
public sealed record DirectoryOptions : DirectoryJobOptions;
