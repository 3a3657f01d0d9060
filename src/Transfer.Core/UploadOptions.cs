namespace Transfer;

/// <summary>How one file is uploaded.</summary>
public sealed record UploadOptions : WriteOptions;
