namespace Transfer.Watching;

/// <summary>Starts one synchronisation of the folder.</summary>
internal delegate TransferJob StartRound(
    SyncOptions options, bool readItems, IProgress<TransferProgress>? progress, CancellationToken cancellationToken);
