namespace Transfer.PowerShell.Servers;

/// <summary>The two folders of a synchronisation, and which of them is changed.</summary>
/// <param name="Client">The server that is always one of them.</param>
/// <param name="To">The server that is changed where both are servers'.</param>
/// <param name="Direction">Which folder becomes like which.</param>
/// <param name="Path">The local folder, in full; between servers the source's.</param>
/// <param name="Destination">The server's folder; between servers the target's.</param>
internal sealed record SyncSides(TransferClient Client, TransferClient To, TransferDirection Direction, string Path, string Destination)
{
    private bool IsBetweenServers => Direction == TransferDirection.ServerToServer;

    private SyncDirection OneSided => Direction == TransferDirection.Up ? SyncDirection.Up : SyncDirection.Down;

    /// <summary>Starts the job.</summary>
    public TransferJob Start(SyncOptions options, IProgress<TransferProgress>? progress, CancellationToken ct) => IsBetweenServers
        ? Client.StartSynchronize(Path, To, Destination, options, readItems: true, progress, ct)
        : Client.StartSynchronize(Path, Destination, OneSided, options, readItems: true, progress, ct);

    /// <summary>Starts a job that follows the source.</summary>
    public TransferJob Watch(WatchOptions options, IProgress<TransferProgress>? progress, CancellationToken ct) => IsBetweenServers
        ? Client.StartWatch(Path, To, Destination, options, readItems: true, progress, ct)
        : Client.StartWatch(Path, Destination, OneSided, options, readItems: true, progress, ct);

    /// <inheritdoc/>
    public override string ToString() => IsBetweenServers
        ? $"{Path} at {Client.Endpoint} and {Destination} at {To.Endpoint}"
        : $"{Path} and {Destination} at {Client.Endpoint}";
}
