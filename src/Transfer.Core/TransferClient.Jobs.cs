using Transfer.Engine.Operations;
using Transfer.Local;

namespace Transfer;

// Each long operation as a running job, upon which the …Async twins are built.
public abstract partial class TransferClient
{
    /// <summary>Starts <see cref="UploadAsync"/>.</summary>
    /// <inheritdoc cref="UploadAsync" path="/param"/>
    /// <inheritdoc cref="TransferJob.Start" path="/param[@name='readItems']"/>
    /// <returns>
    /// The job. Its <see cref="JobResult"/> is of one item; a file that did not arrive is the failure of
    /// <see cref="TransferJob.Completion"/>.
    /// </returns>
    public virtual TransferJob StartUpload(
        Stream source, string remotePath, UploadOptions? options = null, bool readItems = false,
        IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        if (!source.CanRead) throw new ArgumentException("The stream cannot be read.", nameof(source));
        var (target, how) = (Resolve(remotePath), CheckedForStream(options));
        return TransferJob.Start(job => FileJobs.UploadAsync(Engine, source, target, how, job), readItems, progress, cancellationToken);
    }

    /// <summary>Starts <see cref="DownloadAsync"/>.</summary>
    /// <inheritdoc cref="DownloadAsync" path="/param"/>
    /// <inheritdoc cref="TransferJob.Start" path="/param[@name='readItems']"/>
    /// <inheritdoc cref="StartUpload" path="/returns"/>
    public virtual TransferJob StartDownload(
        string remotePath, Stream destination, DownloadOptions? options = null, bool readItems = false,
        IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(destination);
        if (!destination.CanWrite) throw new ArgumentException("The stream cannot be written.", nameof(destination));
        var (source, how) = (Resolve(remotePath), CheckedForStream(options));
        return TransferJob.Start(job => FileJobs.DownloadAsync(Engine, source, destination, how, job), readItems, progress,
            cancellationToken);
    }

    /// <summary>Starts <see cref="UploadFileAsync"/>.</summary>
    /// <inheritdoc cref="UploadFileAsync" path="/param"/>
    /// <inheritdoc cref="TransferJob.Start" path="/param[@name='readItems']"/>
    /// <inheritdoc cref="StartUpload" path="/returns"/>
    public virtual TransferJob StartUploadFile(
        string localPath, string remotePath, UploadOptions? options = null, bool readItems = false,
        IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(localPath);
        ArgumentNullException.ThrowIfNull(remotePath);
        var local = LocalPath.Full(localPath);
        var (target, how) = (Resolve(NamedIn(remotePath, Path.GetFileName(local))), Checked(options));
        return TransferJob.Start(job => FileJobs.UploadFileAsync(Engine, local, target, how, job), readItems, progress, cancellationToken);
    }

    /// <summary>Starts <see cref="DownloadFileAsync"/>.</summary>
    /// <inheritdoc cref="DownloadFileAsync" path="/param"/>
    /// <inheritdoc cref="TransferJob.Start" path="/param[@name='readItems']"/>
    /// <inheritdoc cref="StartUpload" path="/returns"/>
    public virtual TransferJob StartDownloadFile(
        string remotePath, string localPath, DownloadOptions? options = null, bool readItems = false,
        IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(localPath);
        var remote = Resolve(remotePath);
        var (local, how) = (LocalTarget(localPath, remote, nameof(localPath)), Checked(options));
        return TransferJob.Start(job => FileJobs.DownloadFileAsync(Engine, remote, local, how, job), readItems, progress,
            cancellationToken);
    }

    /// <summary>Starts <see cref="CopyFileAsync"/>.</summary>
    /// <inheritdoc cref="CopyFileAsync" path="/param"/>
    /// <inheritdoc cref="TransferJob.Start" path="/param[@name='readItems']"/>
    /// <inheritdoc cref="StartUpload" path="/returns"/>
    public virtual TransferJob StartCopyFile(
        string sourcePath,
        TransferClient destination,
        string destinationPath,
        UploadOptions? options = null,
        bool readItems = false,
        IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(destination);
        ArgumentNullException.ThrowIfNull(destinationPath);
        var (source, how) = (Resolve(sourcePath), Checked(options));
        var target = destination.Resolve(NamedIn(destinationPath, RemotePath.GetName(source)));
        return TransferJob.Start(job => CopyJobs.CopyFileAsync(Engine, source, destination.Engine, target, how, job), readItems, progress,
            cancellationToken);
    }

    /// <summary>Starts <see cref="UploadFilesAsync"/>.</summary>
    /// <inheritdoc cref="UploadFilesAsync" path="/param"/>
    /// <inheritdoc cref="TransferJob.Start" path="/param[@name='readItems']"/>
    /// <returns>The job.</returns>
    public virtual TransferJob StartUploadFiles(
        IAsyncEnumerable<FileUpload> files, FilesOptions? options = null, bool readItems = false,
        IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(files);
        var how = Checked(options);
        return TransferJob.Start(
            job => FileListJobs.UploadAsync(Engine, files, file => Resolve(NamedIn(file.RemotePath, Path.GetFileName(file.LocalPath))), how,
                job), readItems, progress, cancellationToken);
    }

    /// <summary>Starts <see cref="DownloadFilesAsync"/>.</summary>
    /// <inheritdoc cref="DownloadFilesAsync" path="/param"/>
    /// <inheritdoc cref="TransferJob.Start" path="/param[@name='readItems']"/>
    /// <returns>The job.</returns>
    public virtual TransferJob StartDownloadFiles(
        IAsyncEnumerable<FileDownload> files, FilesOptions? options = null, bool readItems = false,
        IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(files);
        var how = Checked(options);
        return TransferJob.Start(job => FileListJobs.DownloadAsync(Engine, files, file =>
        {
            var remote = Resolve(file.RemotePath);
            return (remote, LocalTarget(file.LocalPath, remote, nameof(files)));
        }, how, job), readItems, progress, cancellationToken);
    }

    /// <summary>Starts <see cref="DeleteFilesAsync"/>.</summary>
    /// <inheritdoc cref="DeleteFilesAsync" path="/param"/>
    /// <inheritdoc cref="TransferJob.Start" path="/param[@name='readItems']"/>
    /// <returns>The job.</returns>
    public virtual TransferJob StartDeleteFiles(IAsyncEnumerable<string> paths, bool readItems = false,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(paths);
        return TransferJob.Start(job => FileListJobs.DeleteAsync(Engine, paths, Resolve, job), readItems,
            cancellationToken: cancellationToken);
    }

    /// <summary>Starts <see cref="DeleteAsync"/>.</summary>
    /// <inheritdoc cref="DeleteAsync" path="/param"/>
    /// <inheritdoc cref="TransferJob.Start" path="/param[@name='readItems']"/>
    /// <returns>
    /// The job. Its items are the entries that were deleted, or could not be, with their absolute paths; an absent path is none, and no
    /// failure. <see cref="TransferJob.Pause"/> and <see cref="TransferJob.StopAsync"/> let the requests under way end: some thousand of
    /// a session.
    /// </returns>
    public virtual TransferJob StartDelete(string path, bool recursive = false, bool readItems = false,
        CancellationToken cancellationToken = default)
    {
        var full = Resolve(path);
        return TransferJob.Start(job => TreeJobs.DeleteAsync(Engine, full, recursive, job), readItems, null, cancellationToken);
    }

    /// <summary>Starts <see cref="ChangeModeAsync"/>.</summary>
    /// <inheritdoc cref="ChangeModeAsync" path="/param"/>
    /// <inheritdoc cref="TransferJob.Start" path="/param[@name='readItems']"/>
    /// <returns>
    /// The job. Its items are the files and folders that were changed, or could not be, with their absolute paths; for pause and stop see
    /// <see cref="StartDelete"/>.
    /// </returns>
    public virtual TransferJob StartChangeMode(string path, ModeChange change, bool recursive = false, bool readItems = false,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(change);
        var full = Resolve(path);
        return TransferJob.Start(job => TreeJobs.ChangeModeAsync(Engine, full, change, recursive, job), readItems, null, cancellationToken);
    }

    /// <summary>Starts <see cref="UploadDirectoryAsync"/>.</summary>
    /// <inheritdoc cref="UploadDirectoryAsync" path="/param"/>
    /// <inheritdoc cref="TransferJob.Start" path="/param[@name='readItems']"/>
    /// <returns>The job.</returns>
    public virtual TransferJob StartUploadDirectory(
        string localDirectory,
        string remotePath,
        DirectoryOptions? options = null,
        bool readItems = false,
        IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(localDirectory);
        var (remote, how) = (Resolve(remotePath), Checked(options));
        return TransferJob.Start(job => FolderJobs.UploadAsync(Engine, localDirectory, remote, how, job), readItems, progress,
            cancellationToken);
    }

    /// <summary>Starts <see cref="DownloadDirectoryAsync"/>.</summary>
    /// <inheritdoc cref="DownloadDirectoryAsync" path="/param"/>
    /// <inheritdoc cref="TransferJob.Start" path="/param[@name='readItems']"/>
    /// <returns>The job.</returns>
    public virtual TransferJob StartDownloadDirectory(
        string remotePath,
        string localDirectory,
        DirectoryOptions? options = null,
        bool readItems = false,
        IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(localDirectory);
        var (remote, how) = (Resolve(remotePath), Checked(options));
        return TransferJob.Start(job => FolderJobs.DownloadAsync(Engine, remote, localDirectory, how, job), readItems, progress,
            cancellationToken);
    }

    /// <summary>Starts <see cref="CopyDirectoryAsync"/>.</summary>
    /// <inheritdoc cref="CopyDirectoryAsync" path="/param"/>
    /// <inheritdoc cref="TransferJob.Start" path="/param[@name='readItems']"/>
    /// <returns>The job.</returns>
    public virtual TransferJob StartCopyDirectory(
        string sourcePath,
        TransferClient destination,
        string destinationPath,
        DirectoryOptions? options = null,
        bool readItems = false,
        IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        StartCopy(sourcePath, destination, destinationPath, Checked(options), readItems, progress, cancellationToken);

    /// <summary>
    /// Starts <see cref="SynchronizeAsync(string, string, SyncDirection, SyncOptions?, IProgress{TransferProgress}?, CancellationToken)"/>.
    /// </summary>
    /// <inheritdoc path="/param"
    /// cref="SynchronizeAsync(string, string, SyncDirection, SyncOptions?, IProgress{TransferProgress}?, CancellationToken)"/>
    /// <inheritdoc cref="TransferJob.Start" path="/param[@name='readItems']"/>
    /// <returns>The job.</returns>
    public virtual TransferJob StartSynchronize(
        string localDirectory,
        string remotePath,
        SyncDirection direction,
        SyncOptions? options = null,
        bool readItems = false,
        IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(localDirectory);
        var (remote, how) = (Resolve(remotePath), Checked(options));
        Func<TransferJobContext, Task<JobResult>> run = direction switch
        {
            SyncDirection.Up => job => FolderJobs.UploadAsync(Engine, localDirectory, remote, how, job),
            SyncDirection.Down => job => FolderJobs.DownloadAsync(Engine, remote, localDirectory, how, job),
            _ => throw new ArgumentOutOfRangeException(nameof(direction), direction, "There is no such direction."),
        };
        return TransferJob.Start(run, readItems, progress, cancellationToken);
    }

    /// <summary>
    /// Starts
    /// <see cref="SynchronizeAsync(string, TransferClient, string, SyncOptions?, IProgress{TransferProgress}?, CancellationToken)"/>.
    /// </summary>
    /// <inheritdoc path="/param"
    /// cref="SynchronizeAsync(string, TransferClient, string, SyncOptions?, IProgress{TransferProgress}?, CancellationToken)"/>
    /// <inheritdoc cref="TransferJob.Start" path="/param[@name='readItems']"/>
    /// <returns>The job.</returns>
    public virtual TransferJob StartSynchronize(
        string sourcePath,
        TransferClient destination,
        string destinationPath,
        SyncOptions? options = null,
        bool readItems = false,
        IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        StartCopy(sourcePath, destination, destinationPath, Checked(options), readItems, progress, cancellationToken);

    private TransferJob StartCopy(
        string sourcePath, TransferClient destination, string destinationPath, DirectoryJobOptions options, bool readItems,
        IProgress<TransferProgress>? progress, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(destination);
        var (source, target) = (Resolve(sourcePath), destination.Resolve(destinationPath));
        return TransferJob.Start(job => CopyJobs.CopyDirectoryAsync(Engine, source, destination.Engine, target, options, job), readItems,
            progress, cancellationToken);
    }

    // In a directory the file's name stays the same.
    private static string NamedIn(string path, string name) => path.EndsWith('/') ? path + name : path;

    // The same for a local directory, with a full path.
    private static string LocalTarget(string path, string remote, string parameter) =>
        LocalPath.Full(LocalPath.NamesDirectory(path) ? LocalNames.Join(path, RemotePath.GetName(remote), parameter) : path);
}
