using Transfer.Engine.Operations;

namespace Transfer;

public abstract partial class TransferClient
{
    /// <summary>
    /// Opens a remote file for reading. If the server gives the file's length and reads from offsets, the stream seeks
    /// (<see cref="Stream.CanSeek"/>): nothing is fetched before the first read, and then from the position on. So <c>ZipArchive</c> over a
    /// remote archive fetches only the directory and the entries that are opened. Disposing early leaves the rest unfetched.
    /// </summary>
    /// <remarks>
    /// Synchronous calls block the thread. The length is that at the time of opening; a file that changes while being read gives old bytes
    /// and new ones, and one that has become shorter fails with <see cref="TransferError.Integrity"/>. Each read after a seek fetches 64
    /// KiB, and further reads in order fetch more. While bytes are on their way the stream has a session of its own, until the end of the
    /// file or the disposal: where the application's streams have all of <see cref="TransferClientOptions.MaxSessions"/>, or all that the
    /// server allows, every other call waits for one of them without a limit of time. A token ends such a wait.
    /// </remarks>
    /// <exception cref="TransferException">
    /// Thrown here or by a read: the file is absent, not readable, or the connection was lost.
    /// <see cref="TransferError.Unsupported"/>: a directory, a pipe, a socket or a device.
    /// </exception>
    public virtual async ValueTask<Stream> OpenReadAsync(string path, ReadOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        var full = Resolve(path);
        options ??= new ReadOptions();
        options.Validate();
        return await ReadStreams.OpenAsync(Engine, full, options, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Opens a remote file for writing, which appears with <see cref="TransferWriteStream.CommitAsync"/>. The stream is forward only;
    /// synchronous calls block the thread.
    /// </summary>
    /// <remarks>
    /// Until the commit or the disposal the stream has a session of its own: as with the streams of <see cref="OpenReadAsync"/>, other
    /// calls wait without a limit of time where open streams have all sessions.
    /// </remarks>
    /// <exception cref="TransferException">
    /// Thrown here or by a write: the file exists, may not be written, or the connection was lost.
    /// </exception>
    public virtual async ValueTask<TransferWriteStream> OpenWriteAsync(string path, UploadOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        var full = Resolve(path);
        return await FileJobs.OpenWriteAsync(Engine, full, CheckedForStream(options), cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Uploads a stream from its position to the end. The stream is left open. After a lost connection only a seekable stream is retried.
    /// An exception of the stream is thrown as it is, and is no reason to try again.
    /// </summary>
    /// <exception cref="TransferException">The file did not arrive; nothing was published.</exception>
    /// <exception cref="ArgumentException">The stream cannot be read.</exception>
    public virtual Task<TransferResult> UploadAsync(
        Stream source, string remotePath, UploadOptions? options = null, IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        TransferJob.FileOfAsync(StartUpload(source, remotePath, options, readItems: true, progress, cancellationToken));

    /// <summary>
    /// Downloads a file into a stream at its position. The stream is left open. After a lost connection only a seekable stream is retried.
    /// An exception of the stream is thrown as it is, and is no reason to try again.
    /// </summary>
    /// <exception cref="TransferException">The file did not arrive whole; bytes written stay written.</exception>
    /// <exception cref="ArgumentException">The stream cannot be written.</exception>
    public virtual Task<TransferResult> DownloadAsync(
        string remotePath, Stream destination, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        TransferJob.FileOfAsync(StartDownload(remotePath, destination, options, readItems: true, progress, cancellationToken));

    /// <summary>Uploads a local file.</summary>
    /// <param name="localPath">The local file.</param>
    /// <param name="remotePath">The remote file. A path that ends in <c>/</c> is a directory for a file of the same name.</param>
    /// <param name="options">The options.</param>
    /// <param name="progress">Receives the progress.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <exception cref="TransferException">The file did not arrive; nothing was published.</exception>
    public virtual Task<TransferResult> UploadFileAsync(
        string localPath, string remotePath, UploadOptions? options = null, IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        TransferJob.FileOfAsync(StartUploadFile(localPath, remotePath, options, readItems: true, progress, cancellationToken));

    /// <summary>Downloads into a local file.</summary>
    /// <param name="remotePath">The remote file.</param>
    /// <param name="localPath">
    /// The local file. Its directory must exist, unless <see cref="FileJobOptions.CreateDirectories"/> is set. A path that ends in a
    /// separator, <c>.</c> or <c>..</c> is a directory for a file of the same name.
    /// </param>
    /// <param name="options">The options.</param>
    /// <param name="progress">Receives the progress.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <exception cref="ArgumentException">The local path is a directory, and no local file can have the remote one's name.</exception>
    /// <exception cref="TransferException">The file did not arrive whole; nothing was published.</exception>
    public virtual Task<TransferResult> DownloadFileAsync(
        string remotePath, string localPath, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        TransferJob.FileOfAsync(StartDownloadFile(remotePath, localPath, options, readItems: true, progress, cancellationToken));

    /// <summary>Copies a file to another server (or another path of this one) through this machine, never onto its disk.</summary>
    /// <param name="sourcePath">The file to read.</param>
    /// <param name="destination">The client of the other server.</param>
    /// <param name="destinationPath">The file there. A path that ends in <c>/</c> is a directory for a file of the same name.</param>
    /// <param name="options">The options.</param>
    /// <param name="progress">Receives the progress.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <exception cref="TransferException">
    /// The file did not arrive; nothing was published. <see cref="TransferError.Unsupported"/>: source and target are one client
    /// that may open one session only; two are needed.
    /// </exception>
    public virtual Task<TransferResult> CopyFileAsync(
        string sourcePath,
        TransferClient destination,
        string destinationPath,
        UploadOptions? options = null,
        IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        TransferJob.FileOfAsync(
            StartCopyFile(sourcePath, destination, destinationPath, options, readItems: true, progress, cancellationToken));

    /// <summary>
    /// Uploads any number of local files named one by one, in one job: they share sessions and writes like those of a folder. Further files
    /// are taken from the sequence when there is room.
    /// </summary>
    /// <param name="files">
    /// The files. Each is reported as an item whose <see cref="ItemResult.Path"/> is its <see cref="FileUpload.LocalPath"/>.
    /// </param>
    /// <param name="options">The options.</param>
    /// <param name="progress">Receives the progress.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <returns>Counts and the first failures: a file that failed does not throw and does not stop the rest.</returns>
    /// <exception cref="TransferException">The job could not be done at all: there is no connection.</exception>
    public virtual Task<JobResult> UploadFilesAsync(
        IAsyncEnumerable<FileUpload> files, FilesOptions? options = null, IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        StartUploadFiles(files, options, readItems: false, progress, cancellationToken).Completion;

    /// <summary>Downloads remote files named one by one, in one job; see <see cref="UploadFilesAsync"/>.</summary>
    /// <param name="files">
    /// The files. Each is reported as an item whose <see cref="ItemResult.Path"/> is its <see cref="FileDownload.RemotePath"/>.
    /// </param>
    /// <param name="options">The options.</param>
    /// <param name="progress">Receives the progress.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <returns>Counts and the first failures: a file that failed does not throw and does not stop the rest.</returns>
    /// <exception cref="TransferException">The job could not be done at all: there is no connection.</exception>
    public virtual Task<JobResult> DownloadFilesAsync(
        IAsyncEnumerable<FileDownload> files, FilesOptions? options = null, IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        StartDownloadFiles(files, options, readItems: false, progress, cancellationToken).Completion;

    /// <summary>Deletes remote files named one by one: files that have come meanwhile go to the server together.</summary>
    /// <param name="paths">The files. Each is reported as an item whose <see cref="ItemResult.Path"/> is the given path.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <returns>
    /// Counts (<see cref="JobResult.Deleted"/>) and the first failures: a file that is absent, or may not be deleted, does not throw and
    /// does not stop the rest.
    /// </returns>
    /// <exception cref="TransferException">The job could not be done at all: there is no connection.</exception>
    public virtual Task<JobResult> DeleteFilesAsync(IAsyncEnumerable<string> paths, CancellationToken cancellationToken = default) =>
        StartDeleteFiles(paths, readItems: false, cancellationToken).Completion;
}
