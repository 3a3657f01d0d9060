namespace Transfer.Fleet;

/// <summary>A folder of a plan, opened.</summary>
/// <param name="Client">The client of the server.</param>
/// <param name="Path">The path, relative to the client's endpoint.</param>
/// <param name="Local">The folder's path on this machine; null: the folder is at a server.</param>
internal sealed record FleetFolder(TransferClient Client, string Path, string? Local)
{
    /// <summary>The folder's name in a plan: the local path, or the URL without a password.</summary>
    public string Name => Local ?? Client.Endpoint.AbsoluteUri.TrimEnd('/') + (Path.Length == 0 ? string.Empty
        : "/" + string.Join('/', Path.Split('/').Select(Uri.EscapeDataString)));
}
