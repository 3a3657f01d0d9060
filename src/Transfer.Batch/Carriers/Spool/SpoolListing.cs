namespace Transfer.Batch.Carriers.Spool;

/// <summary>The content of a job's folder, as the store lists it just now.</summary>
internal sealed class SpoolListing
{
    /// <summary>Whether the folder is empty.</summary>
    public bool IsEmpty { get; set; } = true;

    public bool HasHead { get; set; }

    public bool HasEnd { get; set; }

    /// <summary>Whether there are archives, of any number.</summary>
    public bool HasArchives { get; set; }

    /// <summary>Whether there is more than confirmations. Without, the folder is the remains of a deletion, or of a job that is about to
    /// begin.</summary>
    public bool HasContent => HasHead || HasEnd || HasArchives;

    /// <summary>Numbers of archives.</summary>
    public List<long> Archives { get; } = [];

    /// <summary>The confirmations, by recipient and serial number.</summary>
    public List<(int Recipient, long Serial)> Confirmations { get; } = [];

    /// <summary>When the sender last stored a file, by the store's clock; null: unknown.</summary>
    public DateTimeOffset? Sent { get; set; }

    /// <summary>A value that changes with every file except confirmations that appears, grows or disappears: unfinished files
    /// too.</summary>
    public long Traces { get; set; }

    /// <summary>The newest confirmation of a recipient first.</summary>
    public IEnumerable<long> Of(int recipient) =>
        Confirmations.Where(one => one.Recipient == recipient).Select(one => one.Serial).OrderDescending();
}
