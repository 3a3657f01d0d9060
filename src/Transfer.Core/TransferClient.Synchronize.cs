namespace Transfer;

public abstract partial class TransferClient
{
    /// <summary>
    /// Makes a remote folder like a local one, or the contrary: transfers new and changed files and, if requested, deletes the rest.
    /// </summary>
    /// <param name="localDirectory">The local folder. Created if it is the target.</param>
    /// <param name="remotePath">The remote folder. Created if it is the target, with the directories above.</param>
    /// <param name="direction">The direction, from source to target.</param>
    /// <param name="options">The options.</param>
    /// <param name="progress">Receives the progress.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <returns>Counts and the first failures: an item that failed does not throw and does not stop the rest.</returns>
    /// <exception cref="TransferException">
    /// The job could not be done at all: no source folder, no connection, no target; <see cref="TransferError.Denied"/>: see
    /// <see cref="SyncOptions.DeleteForEmptySource"/>.
    /// </exception>
    public virtual Task<JobResult> SynchronizeAsync(
        string localDirectory,
        string remotePath,
        SyncDirection direction,
        SyncOptions? options = null,
        IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        StartSynchronize(localDirectory, remotePath, direction, options, readItems: false, progress, cancellationToken).Completion;

    /// <summary>
    /// Makes a folder of another server (or another one of this server) like one of this client; files go through this machine, never onto
    /// its disk.
    /// </summary>
    /// <param name="sourcePath">The folder to read.</param>
    /// <param name="destination">The client of the folder to change.</param>
    /// <param name="destinationPath">The folder to change; created with the directories above.</param>
    /// <param name="options">The options.</param>
    /// <param name="progress">Receives the progress.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <inheritdoc path="/returns"
    /// cref="SynchronizeAsync(string, string, SyncDirection, SyncOptions?, IProgress{TransferProgress}?, CancellationToken)"/>
    /// <inheritdoc path="/exception"
    /// cref="SynchronizeAsync(string, string, SyncDirection, SyncOptions?, IProgress{TransferProgress}?, CancellationToken)"/>
    public virtual Task<JobResult> SynchronizeAsync(
        string sourcePath,
        TransferClient destination,
        string destinationPath,
        SyncOptions? options = null,
        IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        StartSynchronize(sourcePath, destination, destinationPath, options, readItems: false, progress, cancellationToken).Completion;
}
