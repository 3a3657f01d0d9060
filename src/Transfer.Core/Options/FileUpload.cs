namespace Transfer;

/// <summary>One of the files of <see cref="TransferClient.UploadFilesAsync"/>.</summary>
/// <param name="LocalPath">The local file.</param>
/// <param name="RemotePath">The remote file. A path that ends in <c>/</c> is a directory for a file of the same name.</param>
public sealed record FileUpload(string LocalPath, string RemotePath);
