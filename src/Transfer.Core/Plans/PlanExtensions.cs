using Transfer.Plans;

namespace Transfer;

/// <summary>
/// Synchronizations for several machines: planned once, divided into parts that run anywhere, in any order and again after a failure, and
/// a last phase for deletions. <see cref="PlanFolder"/> and <see cref="PlanManifest"/> are the plan as files.
/// </summary>
public static class PlanExtensions
{
    /// <summary>
    /// Plans a synchronization of a local folder and a remote one, and changes neither: the steps come as the walk finds them. Moves are
    /// not planned; <see cref="SyncOptions.MaxDelete"/> and the other guards of deletions count for the whole.
    /// </summary>
    /// <param name="client">The client of the remote folder.</param>
    /// <param name="localDirectory">The local folder.</param>
    /// <param name="remotePath">The remote folder.</param>
    /// <param name="direction">The direction, from source to target.</param>
    /// <param name="options">The options.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <exception cref="TransferException">Thrown while enumerating: the folders could not be compared at all.</exception>
    public static IAsyncEnumerable<PlannedItem> PlanAsync(
        this TransferClient client, string localDirectory, string remotePath, SyncDirection direction, SyncOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(client);
        return PlanWalk.ReadAsync(options ?? new(), (how, token) =>
            client.StartSynchronize(localDirectory, remotePath, direction, how, readItems: true, progress: null, token), cancellationToken);
    }

    /// <summary>Plans a synchronization between servers, or of two folders of one.</summary>
    /// <param name="client">The client of the source.</param>
    /// <param name="sourcePath">The folder to read.</param>
    /// <param name="destination">The client of the target.</param>
    /// <param name="destinationPath">The folder to change.</param>
    /// <param name="options">The options.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <inheritdoc path="/exception"
    /// cref="PlanAsync(TransferClient, string, string, SyncDirection, SyncOptions?, CancellationToken)"/>
    public static IAsyncEnumerable<PlannedItem> PlanAsync(
        this TransferClient client, string sourcePath, TransferClient destination, string destinationPath, SyncOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(client);
        return PlanWalk.ReadAsync(options ?? new(), (how, token) =>
            client.StartSynchronize(sourcePath, destination, destinationPath, how, readItems: true, progress: null, token),
            cancellationToken);
    }

    /// <summary>
    /// Applies planned steps: new files are sent, and those that are at the target by now are confirmed. An entry that is not at the
    /// source any more fails with <see cref="TransferError.NotFound"/>. Deletions follow the rules of a synchronization at that time, of
    /// planned entries only.
    /// </summary>
    /// <remarks>
    /// Where the items are a <see cref="PlanManifest"/>, the whole file is checked first, its values of
    /// <see cref="SyncOptions.Compare"/>, <see cref="DirectoryJobOptions.Links"/>, <see cref="DirectoryJobOptions.NameMapping"/> and
    /// <see cref="SyncOptions.DeleteForEmptySource"/> count, a journal beside the manifest lets the next run of a killed one continue
    /// large files, and the outcome is written to <see cref="PlanManifest.ResultPath"/>. The last phase begins only when each part has a
    /// result, and deletes nothing while one of their files failed.
    /// </remarks>
    /// <param name="client">The client of the remote folder.</param>
    /// <param name="localDirectory">The local folder.</param>
    /// <param name="remotePath">The remote folder.</param>
    /// <param name="direction">The direction, from source to target.</param>
    /// <param name="items">The steps.</param>
    /// <param name="options">The options; filter and deletion limits are the plan's.</param>
    /// <param name="readItems">Whether items are kept for <see cref="TransferJob.ReadItemsAsync"/>, and must be read.</param>
    /// <param name="progress">Receives the progress.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <returns>
    /// The job. It fails with <see cref="TransferError.Integrity"/> or <see cref="TransferError.Unsupported"/> for a manifest that cannot
    /// be used, and with <see cref="TransferError.Partial"/> for the last phase before all parts.
    /// </returns>
    public static TransferJob StartApply(
        this TransferClient client, string localDirectory, string remotePath, SyncDirection direction, IAsyncEnumerable<PlannedItem> items,
        SyncOptions? options = null, bool readItems = false, IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(items);
        return Start(items, options ?? new(), (how, reads, report, token) =>
            client.StartSynchronize(localDirectory, remotePath, direction, how, reads, report, token), readItems, progress,
            cancellationToken);
    }

    /// <summary>Applies planned steps between servers, or to two folders of one.</summary>
    /// <param name="client">The client of the source.</param>
    /// <param name="sourcePath">The folder to read.</param>
    /// <param name="destination">The client of the target.</param>
    /// <param name="destinationPath">The folder to change.</param>
    /// <param name="items">The steps.</param>
    /// <param name="options">The options; filter and deletion limits are the plan's.</param>
    /// <param name="readItems">Whether items are kept for <see cref="TransferJob.ReadItemsAsync"/>, and must be read.</param>
    /// <param name="progress">Receives the progress.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <returns>The job; for a <see cref="PlanManifest"/> the same holds as between a local folder and a remote one.</returns>
    public static TransferJob StartApply(
        this TransferClient client, string sourcePath, TransferClient destination, string destinationPath,
        IAsyncEnumerable<PlannedItem> items, SyncOptions? options = null, bool readItems = false,
        IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(items);
        return Start(items, options ?? new(), (how, reads, report, token) =>
            client.StartSynchronize(sourcePath, destination, destinationPath, how, reads, report, token), readItems, progress,
            cancellationToken);
    }

    private static TransferJob Start(
        IAsyncEnumerable<PlannedItem> items, SyncOptions options,
        Func<SyncOptions, bool, IProgress<TransferProgress>?, CancellationToken, TransferJob> start, bool readItems,
        IProgress<TransferProgress>? progress, CancellationToken cancellationToken)
    {
        if (options.DryRun) throw new ArgumentException("SyncOptions.DryRun must not be set: the plan shows the steps.", nameof(options));
        return TransferJob.Start(context =>
        {
            if (items is not PlanManifest manifest) return new PlanRun(options, start, context).RunAsync(items);
            var part = new ManifestRun(manifest, context);
            return part.RunAsync(rest => new PlanRun(part.Adapt(options), start, context).RunAsync(rest));
        }, readItems, progress, cancellationToken);
    }
}
