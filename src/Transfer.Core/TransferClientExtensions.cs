using Transfer.Contents;
using Transfer.Engine.Operations;

namespace Transfer;

/// <summary>Operations made of those that each client has.</summary>
public static class TransferClientExtensions
{
    /// <summary>
    /// Compares a local folder with a remote one, and changes neither. The entries come in no order; those that the options leave out do
    /// not come.
    /// </summary>
    /// <param name="client">The client of the remote folder.</param>
    /// <param name="localDirectory">The local folder.</param>
    /// <param name="remotePath">The remote folder. A target that does not exist lacks everything.</param>
    /// <param name="direction">The direction, from source to target: it decides which entries are missing, and which are extra.</param>
    /// <param name="options">The options.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <exception cref="TransferException">
    /// Thrown while enumerating: the folders could not be compared at all. There is no source folder, or no connection.
    /// </exception>
    public static IAsyncEnumerable<ComparedItem> CompareAsync(
        this TransferClient client, string localDirectory, string remotePath, SyncDirection direction = SyncDirection.Up,
        CompareOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(client);
        var how = (options ?? new CompareOptions()).Synchronization;
        return FolderComparison.ReadAsync(
            how,
            (options, token) =>
                client.StartSynchronize(localDirectory, remotePath, direction, options, readItems: true, progress: null, token),
            cancellationToken);
    }

    /// <summary>Compares a folder of a client with a folder of another server, or another one of that server.</summary>
    /// <param name="client">The client of the folder.</param>
    /// <param name="sourcePath">The folder of that client.</param>
    /// <param name="destination">The client of the other folder.</param>
    /// <param name="destinationPath">The other folder. One that does not exist lacks everything.</param>
    /// <param name="options">The options.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <inheritdoc path="/exception"
    /// cref="CompareAsync(TransferClient, string, string, SyncDirection, CompareOptions?, CancellationToken)"/>
    public static IAsyncEnumerable<ComparedItem> CompareAsync(
        this TransferClient client, string sourcePath, TransferClient destination, string destinationPath, CompareOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(destination);
        var how = (options ?? new CompareOptions()).Synchronization;
        return FolderComparison.ReadAsync(
            how,
            (options, token) =>
                client.StartSynchronize(sourcePath, destination, destinationPath, options, readItems: true, progress: null, token),
            cancellationToken);
    }

    /// <summary>Hashes a file: the server does if it can, else the content is read.</summary>
    /// <param name="client">The client.</param>
    /// <param name="path">The file.</param>
    /// <param name="algorithm">The common name: <c>SHA-256</c>, <c>SHA-384</c>, <c>SHA-512</c>, <c>SHA-1</c> or <c>MD5</c>; of others the
    /// server's only.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <exception cref="TransferException">
    /// The file could not be read. <see cref="TransferError.Unsupported"/>: neither the server nor this library computes the algorithm.
    /// </exception>
    public static async ValueTask<ComputedHash> ComputeHashAsync(
        this TransferClient client, string path, string algorithm = "SHA-256", CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentException.ThrowIfNullOrEmpty(algorithm);
        var full = client.Resolve(path);
        var (known, source) = await client.Engine.ControlAsync("hash", async (session, token) =>
        {
            var digits = await session.HashAsync(full, algorithm, token).ConfigureAwait(false);
            return (digits, session.HashSource);
        }, retry: true, cancellationToken, full).ConfigureAwait(false);
        if (known is not null) return new ComputedHash(algorithm, known, source);
        if (!FileHash.IsComputed(algorithm))
            throw new TransferException(TransferError.Unsupported, $"{path}: {algorithm} is not computed here or by the server.");
        var content = await client.OpenReadAsync(path, new ReadOptions { Sequential = true }, cancellationToken).ConfigureAwait(false);
        await using var contentEnd = content.ConfigureAwait(false);
        var read = await FileHash.ComputeAsync(content, algorithm, cancellationToken).ConfigureAwait(false);
        return new ComputedHash(algorithm, read, HashSource.ReadBack);
    }
}
