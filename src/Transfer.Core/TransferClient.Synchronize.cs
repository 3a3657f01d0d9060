namespace Transfer;

public abstract partial class TransferClient
{
    /// <summary>Makes a remote folder like a local one, or the contrary: sends what is new or has changed and, if asked, deletes the rest.</summary>
    /// <param name="localDirectory">The local folder. As the target it is created.</param>
    /// <param name="remotePath">The remote folder. As the target it is created, with the directories above it.</param>
    /// <param name="direction">Which of them is changed.</param>
    /// <param name="options">How.</param>
    /// <param name="progress">Told of what is sent.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <returns>Counts and the first failures: an item that failed does not throw and does not stop the rest.</returns>
    /// <exception cref="TransferException">
    /// The job could not be done at all: no source folder, no connection, no target; <see cref="TransferError.Denied"/>: see <see cref="SyncOptions.DeleteForEmptySource"/>.
    /// </exception>
    public virtual Task<JobResult> SynchronizeAsync(
        string localDirectory,
        string remotePath,
        SyncDirection direction,
        SyncOptions? options = null,
        IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        StartSynchronize(localDirectory, remotePath, direction, options, readItems: false, progress, cancellationToken).Completion;

    /// <summary>Makes a folder of another server (or another one of this server) like one of this client; files go through this machine, never onto its disk.</summary>
    /// <param name="sourcePath">The folder that is read.</param>
    /// <param name="destination">Whose folder is changed.</param>
    /// <param name="destinationPath">That folder; created with the directories above it.</param>
    /// <param name="options">How.</param>
    /// <param name="progress">Told of what is sent.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <inheritdoc cref="SynchronizeAsync(string, string, SyncDirection, SyncOptions?, IProgress{TransferProgress}?, CancellationToken)" path="/returns"/>
    /// <inheritdoc cref="SynchronizeAsync(string, string, SyncDirection, SyncOptions?, IProgress{TransferProgress}?, CancellationToken)" path="/exception"/>
    public virtual Task<JobResult> SynchronizeAsync(
        string sourcePath,
        TransferClient destination,
        string destinationPath,
        SyncOptions? options = null,
        IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        StartSynchronize(sourcePath, destination, destinationPath, options, readItems: false, progress, cancellationToken).Completion;
}
