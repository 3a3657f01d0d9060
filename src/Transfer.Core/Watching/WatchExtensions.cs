using Transfer.Watching;

namespace Transfer;

/// <summary>Folders that are followed: new and changed files are sent as soon as they are complete.</summary>
public static class WatchExtensions
{
    /// <summary>
    /// Follows a local folder, or a remote one, until the job is stopped (<see cref="TransferJob.StopAsync"/>) or cancelled. Each round is
    /// a synchronisation of the files that are complete, so that a restart continues where the run before ended.
    /// </summary>
    /// <remarks>
    /// A file is complete when its length and time have not changed for <see cref="WatchOptions.Settle"/>, its trigger file is there, and,
    /// for local files on Linux and Windows, no process has the file open for writing. (On Linux that is known of the user's own files, or
    /// of all with CAP_LEASE.) Changes of a local folder are reported by the system; a remote one is listed at each
    /// <see cref="WatchOptions.Interval"/>. A lost connection ends nothing: the next round follows after some time, which grows up to
    /// five minutes. Only where the first round fails for a reason that time does not mend does the job fail.
    /// </remarks>
    /// <param name="client">The client of the remote folder.</param>
    /// <param name="localDirectory">The local folder.</param>
    /// <param name="remotePath">The remote folder.</param>
    /// <param name="direction">The direction, from source to target.</param>
    /// <param name="options">The options.</param>
    /// <param name="readItems">Whether items are kept for <see cref="TransferJob.ReadItemsAsync"/>, and must be read.</param>
    /// <param name="progress">Receives the progress of each round.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <returns>The job. Stopped, its result is the sum of all rounds; its failures are the files that were not sent later.</returns>
    public static TransferJob StartWatch(
        this TransferClient client, string localDirectory, string remotePath, SyncDirection direction, WatchOptions? options = null,
        bool readItems = false, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentException.ThrowIfNullOrEmpty(localDirectory);
        var isUp = direction == SyncDirection.Up;
        var source = new WatchedSource(isUp ? LocalPath.Full(localDirectory) : null, client, remotePath);
        return Start(source, options, (how, read, report, token) =>
            client.StartSynchronize(localDirectory, remotePath, direction, how, read, report, token), readItems, progress,
            cancellationToken);
    }

    /// <summary>Follows a folder of a client for another server, or another folder of that server.</summary>
    /// <param name="client">The client of the source.</param>
    /// <param name="sourcePath">The folder to follow.</param>
    /// <param name="destination">The client of the target.</param>
    /// <param name="destinationPath">The folder to change.</param>
    /// <param name="options">The options.</param>
    /// <param name="readItems">Whether items are kept for <see cref="TransferJob.ReadItemsAsync"/>, and must be read.</param>
    /// <param name="progress">Receives the progress of each round.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <returns>The job. Stopped, its result is the sum of all rounds; its failures are the files that were not sent later.</returns>
    public static TransferJob StartWatch(
        this TransferClient client, string sourcePath, TransferClient destination, string destinationPath, WatchOptions? options = null,
        bool readItems = false, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(destination);
        var source = new WatchedSource(null, client, sourcePath);
        return Start(source, options, (how, read, report, token) =>
            client.StartSynchronize(sourcePath, destination, destinationPath, how, read, report, token), readItems, progress,
            cancellationToken);
    }

    private static TransferJob Start(
        WatchedSource source, WatchOptions? options, StartRound start, bool readItems, IProgress<TransferProgress>? progress,
        CancellationToken cancellationToken)
    {
        var how = (options ?? new WatchOptions()).Checked();
        return TransferJob.Start(context => new FolderWatch(source, how, start, context).RunAsync(), readItems, progress,
            cancellationToken);
    }
}
