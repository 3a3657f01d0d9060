namespace Transfer;

/// <summary>Options for the download of one file.</summary>
/// <remarks>
/// A download into a stream takes <see cref="TransferOptions.Verify"/> only: the other options are about a local file.
/// </remarks>
public sealed record DownloadOptions : FileJobOptions;
