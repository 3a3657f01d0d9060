namespace Transfer.PowerShell.Servers;

/// <summary>
/// Whether the destination of a pipeline is a folder, at each server that the pipeline works at. Looked up before the first move or copy,
/// which may create the destination.
/// </summary>
internal sealed class DestinationFolders
{
    private readonly Dictionary<TransferClient, bool> _isFolder = [];

    /// <summary>The new path of an entry: in the destination if that ends in <c>/</c> or is a folder, else the destination.</summary>
    /// <param name="client">The server of the destination.</param>
    /// <param name="destination">The destination.</param>
    /// <param name="entry">The entry.</param>
    /// <param name="look">Looks at the destination; null: absent.</param>
    public string PathOf(TransferClient client, string destination, RemoteEntry entry, Func<RemoteEntry?> look)
    {
        if (!_isFolder.TryGetValue(client, out var isFolder))
            _isFolder[client] = isFolder = destination.EndsWith('/') || look()?.Type == RemoteEntryType.Directory;
        return isFolder ? RemotePath.Combine(destination.TrimEnd('/'), entry.Name) : destination;
    }
}
