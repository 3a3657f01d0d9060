namespace Transfer.Batch.Carriers;

/// <summary>Where a sending carrier takes its archives from. A carrier knows archives as bytes with a number; it never looks inside.</summary>
internal interface IArchiveSource
{
    /// <summary>The next archive to be carried; null: there are no more. Called by every lane of the carrier, at the same time.</summary>
    ValueTask<OutgoingArchive?> NextAsync(CancellationToken ct);

    /// <summary>There was more to carry, which was not to begin any more. It is known once there are no more archives and all are settled.</summary>
    bool HasLeft => false;
}
