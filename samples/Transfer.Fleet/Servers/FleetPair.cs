namespace Transfer.Fleet;

/// <summary>The two folders of a plan.</summary>
/// <param name="From">The source.</param>
/// <param name="To">The target.</param>
internal sealed record FleetPair(FleetFolder From, FleetFolder To)
{
    /// <summary>Returns the header of a plan.</summary>
    public PlanHeader Header(SyncOptions options) => PlanHeader.Of(From.Name, To.Name, options);

    /// <summary>Plans.</summary>
    public IAsyncEnumerable<PlannedItem> PlanAsync(SyncOptions options, CancellationToken ct) => (From.Local, To.Local) switch
    {
        ({ } local, null) => To.Client.PlanAsync(local, To.Path, SyncDirection.Up, options, ct),
        (null, { } local) => From.Client.PlanAsync(local, From.Path, SyncDirection.Down, options, ct),
        _ => From.Client.PlanAsync(From.Path, To.Client, To.Path, options, ct),
    };

    /// <summary>Starts a part.</summary>
    public TransferJob StartApply(PlanManifest manifest, IProgress<TransferProgress> progress, CancellationToken ct) =>
        (From.Local, To.Local) switch
        {
            ({ } local, null) => To.Client.StartApply(
                local, To.Path, SyncDirection.Up, manifest, progress: progress, cancellationToken: ct),
            (null, { } local) => From.Client.StartApply(
                local, From.Path, SyncDirection.Down, manifest, progress: progress, cancellationToken: ct),
            _ => From.Client.StartApply(From.Path, To.Client, To.Path, manifest, progress: progress, cancellationToken: ct),
        };
}
