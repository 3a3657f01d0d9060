using Transfer.Batch.Carriers.Exec;

namespace Transfer;

/// <summary>
/// Uploads and downloads of directories in a batch, as methods of <see cref="TransferClient"/>. Many small files travel as a few streams
/// to and from a server that runs commands
/// (<see cref="IRemoteCommands"/>, which the SFTP client is): by <c>transfer receive</c> where that is installed at the server, else by
/// the server's <c>tar</c>.
/// </summary>
public static class BatchExtensions
{
    /// <summary>
    /// Uploads the content of a local directory into a remote one, in a batch or file by file, as <see cref="BatchOptions.Mode"/>
    /// decides. The result is that of
    /// <see cref="TransferClient.UploadDirectoryAsync"/>.
    /// </summary>
    /// <param name="client">The client of the server.</param>
    /// <param name="localDirectory">The local directory.</param>
    /// <param name="remotePath">The remote directory; created if missing.</param>
    /// <param name="options">Whether the directory goes in a batch, and how the files are transferred. A batch can't honour each option:
    /// with such a one the directory goes file by file.</param>
    /// <param name="progress">Receives the state of the job, about ten times a second.</param>
    /// <param name="cancellationToken">Stops the job; unfinished files are deleted.</param>
    /// <returns>The results of the items, and how the files travelled. A failed item does not throw and does not stop the
    /// job.</returns>
    /// <exception cref="TransferException">
    /// The job could not be done at all; with <see cref="BatchMode.Always"/> also when a batch is impossible
    /// (<see cref="TransferError.Unsupported"/>).
    /// </exception>
    public static Task<BatchDirectoryResult> UploadDirectoryAsync(
        this TransferClient client, string localDirectory, string remotePath, BatchOptions options,
        IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        ResultOfAsync(client.StartUploadDirectory(localDirectory, remotePath, options, readItems: false, progress, cancellationToken));

    /// <summary>Starts <see cref="UploadDirectoryAsync"/>.</summary>
    /// <inheritdoc cref="UploadDirectoryAsync" path="/param"/>
    /// <inheritdoc cref="TransferJob.Start" path="/param[@name='readItems']"/>
    /// <returns>The job, with a result of the type <see cref="BatchDirectoryResult"/>.</returns>
    public static TransferJob StartUploadDirectory(
        this TransferClient client, string localDirectory, string remotePath, BatchOptions options, bool readItems = false,
        IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentException.ThrowIfNullOrEmpty(localDirectory);
        ArgumentNullException.ThrowIfNull(remotePath);
        ArgumentNullException.ThrowIfNull(options);
        var remote = ClientServices.Of(client).Resolve(remotePath);
        return TransferJob.Start(job => new UploadBatch(client, localDirectory, remote, options, job).RunAsync(), readItems, progress,
            cancellationToken);
    }

    /// <summary>
    /// Downloads the content of a remote directory into a local one, in a batch or file by file, as <see cref="BatchOptions.Mode"/>
    /// decides. The result is that of <see cref="TransferClient.DownloadDirectoryAsync"/>.
    /// </summary>
    /// <param name="client">The client of the server.</param>
    /// <param name="remotePath">The remote directory.</param>
    /// <param name="localDirectory">The local directory; created if missing.</param>
    /// <param name="options">Whether the directory goes in a batch, and how the files are transferred. A batch can't honour each option:
    /// with such a one the directory goes file by file.</param>
    /// <param name="progress">Receives the state of the job, about ten times a second.</param>
    /// <param name="cancellationToken">Stops the job; unfinished files are deleted.</param>
    /// <returns>The results of the items, and how the files travelled. A failed item does not throw and does not stop the
    /// job.</returns>
    /// <exception cref="TransferException">
    /// The job could not be done at all; with <see cref="BatchMode.Always"/> also when a batch is impossible
    /// (<see cref="TransferError.Unsupported"/>).
    /// </exception>
    public static Task<BatchDirectoryResult> DownloadDirectoryAsync(
        this TransferClient client, string remotePath, string localDirectory, BatchOptions options,
        IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        ResultOfAsync(client.StartDownloadDirectory(remotePath, localDirectory, options, readItems: false, progress, cancellationToken));

    /// <summary>Starts <see cref="DownloadDirectoryAsync"/>.</summary>
    /// <inheritdoc cref="DownloadDirectoryAsync" path="/param"/>
    /// <inheritdoc cref="TransferJob.Start" path="/param[@name='readItems']"/>
    /// <returns>The job, with a result of the type <see cref="BatchDirectoryResult"/>.</returns>
    public static TransferJob StartDownloadDirectory(
        this TransferClient client, string remotePath, string localDirectory, BatchOptions options, bool readItems = false,
        IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(remotePath);
        ArgumentException.ThrowIfNullOrEmpty(localDirectory);
        ArgumentNullException.ThrowIfNull(options);
        var remote = ClientServices.Of(client).Resolve(remotePath);
        return TransferJob.Start(job => new DownloadBatch(client, localDirectory, remote, options, job).RunAsync(), readItems, progress,
            cancellationToken);
    }

    private static async Task<BatchDirectoryResult> ResultOfAsync(TransferJob job) =>
        (BatchDirectoryResult)await job.Completion.ConfigureAwait(false);
}
