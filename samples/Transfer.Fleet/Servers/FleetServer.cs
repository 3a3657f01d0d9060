namespace Transfer.Fleet;

/// <summary>
/// The limits of a server for the whole fleet, beside the settings of its client in <c>Client</c>. Each worker has its share.
/// </summary>
internal sealed class FleetServer
{
    /// <summary>The most sessions of all workers; null: as the client's settings say for each.</summary>
    public int? SessionsTotal { get; set; }

    /// <summary>The most bytes of content a second of all workers; null: as the client's settings say for each.</summary>
    public long? BytesPerSecondTotal { get; set; }
}
