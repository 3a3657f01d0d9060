namespace Transfer.Fleet;

/// <summary>A plan, as submitted and as made.</summary>
/// <param name="Name">The name.</param>
/// <param name="From">The source.</param>
/// <param name="To">The target.</param>
/// <param name="Parts">The number of parts.</param>
/// <param name="Delete">Whether entries are deleted at the target that the source lacks.</param>
/// <param name="MaxDelete">The most entries that may be deleted; null: no limit.</param>
/// <param name="Submitted">The time of the request.</param>
/// <param name="Folder">The folder of the manifests, below that of all plans; null: not planned yet.</param>
/// <param name="Files">The files to send.</param>
/// <param name="Bytes">Their bytes.</param>
/// <param name="Deletions">The entries to delete.</param>
/// <param name="Failed">The entries that could not be planned.</param>
internal sealed record FleetPlan(
    string Name, FleetPlace From, FleetPlace To, int Parts, bool Delete, long? MaxDelete, DateTimeOffset Submitted, string? Folder,
    long Files, long Bytes, long Deletions, long Failed);
