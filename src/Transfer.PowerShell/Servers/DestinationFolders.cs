namespace Transfer.PowerShell.Servers;

/// <summary>
/// Whether the destination of a pipeline is a folder, at each server that the pipeline works at. Looked up before the first move or copy,
/// which may create the destination.
/// </summary>
internal sealed class DestinationFolders
{
    private readonly Dictionary<TransferClient, bool> _isFolder = [];

    /// <summary>
    /// Whether a path is a folder or a link that leads to one: a file goes into either, as with cp and mv. The file would replace the link.
    /// </summary>
    public static async Task<bool> IsFolderAsync(TransferClient client, string path, CancellationToken ct) =>
        await IsFolderAsync(client, path, await client.GetEntryAsync(path, ct).ConfigureAwait(false), ct).ConfigureAwait(false);

    /// <inheritdoc cref="IsFolderAsync(TransferClient, string, CancellationToken)"/>
    /// <param name="client">The server.</param>
    /// <param name="path">The path.</param>
    /// <param name="entry">The entry of the path, links not followed; null: absent.</param>
    /// <param name="ct">Cancels.</param>
    public static async Task<bool> IsFolderAsync(TransferClient client, string path, RemoteEntry? entry, CancellationToken ct)
    {
        if (entry?.Type != RemoteEntryType.Link) return entry?.Type == RemoteEntryType.Directory;
        try
        {
            // The folder's own name in itself: servers follow the links in front of it, over every protocol.
            var end = await client.GetEntryAsync(RemotePath.Combine(path, "."), ct).ConfigureAwait(false);
            if (end?.Type != RemoteEntryType.Link) return end?.Type == RemoteEntryType.Directory;
            // A server that takes the dot out of paths. Only a folder can be listed.
            await client.ListAsync(path, new() { AcceptPartial = true }, ct).AnyAsync(ct).ConfigureAwait(false);
            return true;
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            // A link to a file, or to nothing: servers have many answers for that.
            return false;
        }
    }

    /// <summary>The new path of an entry: in the destination if that ends in <c>/</c> or is a folder, else the destination.</summary>
    /// <param name="client">The server of the destination.</param>
    /// <param name="destination">The destination.</param>
    /// <param name="entry">The entry.</param>
    /// <param name="isFolder">Looks whether the destination is a folder.</param>
    public string PathOf(TransferClient client, string destination, RemoteEntry entry, Func<bool> isFolder)
    {
        if (!_isFolder.TryGetValue(client, out var isKnown))
            _isFolder[client] = isKnown = destination.EndsWith('/') || isFolder();
        return isKnown ? In(destination, entry.Name) : destination;
    }

    /// <summary>
    /// The path of a name in a folder, which may end in <c>/</c> and may be the root: a path without <c>/</c> begins in the log-in folder.
    /// </summary>
    public static string In(string folder, string name)
    {
        var trimmed = folder.TrimEnd('/');
        return RemotePath.Combine(trimmed.Length == 0 && folder.Length > 0 ? "/" : trimmed, name);
    }
}
