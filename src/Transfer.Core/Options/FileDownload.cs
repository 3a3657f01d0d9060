namespace Transfer;

/// <summary>One of the files of <see cref="TransferClient.DownloadFilesAsync"/>.</summary>
/// <param name="RemotePath">The remote file.</param>
/// <param name="LocalPath">The local file. A path that ends in a separator is a directory for a file of the same name.</param>
public sealed record FileDownload(string RemotePath, string LocalPath);
