using Transfer.Batch.Carriers.Exec;

namespace Transfer.Batch;

/// <summary>
/// Uploads and downloads folders of many small files to and from a server that runs commands (<see cref="IRemoteCommands"/>, which SFTP's client is): they travel as a few
/// streams, by <c>transfer receive</c> where that is installed there, else by the server's <c>tar</c>. What can't go so goes as <see cref="TransferClient"/> does it, file by file.
/// </summary>
public static class BatchFolders
{
    /// <summary>Uploads what is in a local folder into a remote one, as <see cref="TransferClient.UploadDirectoryAsync"/> does.</summary>
    /// <param name="client">The server.</param>
    /// <param name="localFolder">The folder here.</param>
    /// <param name="remotePath">The folder there; made if need be.</param>
    /// <param name="mode">Whether it goes in a batch.</param>
    /// <param name="options">How. Those that a batch can't do make it go file by file.</param>
    /// <param name="progress">Told how it stands, about ten times a second.</param>
    /// <param name="ct">Stops it; what is half there is deleted.</param>
    /// <returns>How it went: an item that failed does not throw and does not stop the rest.</returns>
    /// <exception cref="TransferException">
    /// The job could not be done at all; with <see cref="BatchMode.On"/> also where it can't be done in a batch (<see cref="TransferError.Unsupported"/>).
    /// </exception>
    public static Task<BatchFolderResult> UploadAsync(
        TransferClient client, string localFolder, string remotePath, BatchMode mode = BatchMode.Auto, DirectoryOptions? options = null,
        IProgress<TransferProgress>? progress = null, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentException.ThrowIfNullOrEmpty(localFolder);
        ArgumentNullException.ThrowIfNull(remotePath);
        return new UploadBatch(client, localFolder, client.Resolve(remotePath), mode, options ?? new DirectoryOptions(), progress).RunAsync(ct);
    }

    /// <summary>Downloads what is in a remote folder into a local one, as <see cref="TransferClient.DownloadDirectoryAsync"/> does.</summary>
    /// <param name="client">The server.</param>
    /// <param name="remotePath">The folder there.</param>
    /// <param name="localFolder">The folder here; made if need be.</param>
    /// <param name="mode">Whether it goes in a batch.</param>
    /// <param name="options">How. Those that a batch can't do make it go file by file.</param>
    /// <param name="progress">Told how it stands, about ten times a second.</param>
    /// <param name="ct">Stops it; what is half there is deleted.</param>
    /// <returns>How it went: an item that failed does not throw and does not stop the rest.</returns>
    /// <exception cref="TransferException">
    /// The job could not be done at all; with <see cref="BatchMode.On"/> also where it can't be done in a batch (<see cref="TransferError.Unsupported"/>).
    /// </exception>
    public static Task<BatchFolderResult> DownloadAsync(
        TransferClient client, string remotePath, string localFolder, BatchMode mode = BatchMode.Auto, DirectoryOptions? options = null,
        IProgress<TransferProgress>? progress = null, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentException.ThrowIfNullOrEmpty(localFolder);
        ArgumentNullException.ThrowIfNull(remotePath);
        return new DownloadBatch(client, localFolder, client.Resolve(remotePath), mode, options ?? new DirectoryOptions(), progress).RunAsync(ct);
    }
}
