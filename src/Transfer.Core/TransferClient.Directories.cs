namespace Transfer;

public abstract partial class TransferClient
{
    /// <summary>Uploads the content of a local folder into a remote one, which is created with the directories above.</summary>
    /// <returns>Counts and the first failures: an item that failed does not throw and does not stop the rest.</returns>
    /// <exception cref="TransferException">
    /// The job could not be done at all: no local folder, no connection, no target directory.
    /// </exception>
    public virtual Task<JobResult> UploadDirectoryAsync(
        string localDirectory, string remotePath, DirectoryOptions? options = null, IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        StartUploadDirectory(localDirectory, remotePath, options, readItems: false, progress, cancellationToken).Completion;

    /// <summary>
    /// Downloads the content of a remote folder into a local one, which is created with the directories above. No name from the server can
    /// make the job write outside that folder.
    /// </summary>
    /// <returns>Counts and the first failures: an item that failed does not throw and does not stop the rest.</returns>
    /// <exception cref="TransferException">
    /// The job could not be done at all: no remote folder, no connection, no target directory.
    /// </exception>
    public virtual Task<JobResult> DownloadDirectoryAsync(
        string remotePath, string localDirectory, DirectoryOptions? options = null, IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        StartDownloadDirectory(remotePath, localDirectory, options, readItems: false, progress, cancellationToken).Completion;

    /// <summary>
    /// Copies the content of a remote folder to another server (or another path of this one) through this machine, never onto its disk.
    /// </summary>
    /// <returns>Counts and the first failures: an item that failed does not throw and does not stop the rest.</returns>
    /// <exception cref="TransferException">
    /// The job could not be done at all: no source folder, no connection, no target directory.
    /// </exception>
    public virtual Task<JobResult> CopyDirectoryAsync(
        string sourcePath,
        TransferClient destination,
        string destinationPath,
        DirectoryOptions? options = null,
        IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        StartCopyDirectory(sourcePath, destination, destinationPath, options, readItems: false, progress, cancellationToken).Completion;
}
