namespace Transfer.Batch.Carriers;

/// <summary>The source of a sending carrier's archives. A carrier knows archives as bytes with a number and never reads their
/// content.</summary>
internal interface IArchiveSource
{
    /// <summary>Returns the next archive to be carried; null: there are no more. Called by every lane of the carrier,
    /// concurrently.</summary>
    ValueTask<OutgoingArchive?> NextAsync(CancellationToken ct);

    /// <summary>Whether files were left out because the job was stopped. Known once there are no more archives and all are
    /// settled.</summary>
    bool HasPostponed => false;
}
