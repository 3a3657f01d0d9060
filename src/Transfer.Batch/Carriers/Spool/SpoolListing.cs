namespace Transfer.Batch.Carriers.Spool;

/// <summary>What a job's folder has in it, as far as the store tells just now.</summary>
internal sealed class SpoolListing
{
    /// <summary>Nothing at all is in it.</summary>
    public bool IsEmpty { get; set; } = true;

    public bool HasHead { get; set; }

    public bool HasEnd { get; set; }

    /// <summary>There are archives, whatever their numbers.</summary>
    public bool HasArchives { get; set; }

    /// <summary>There is more than confirmations. Without, it is what a deletion has left, or a job that is about to begin.</summary>
    public bool HasContent => HasHead || HasEnd || HasArchives;

    /// <summary>Numbers of archives.</summary>
    public List<long> Archives { get; } = [];

    /// <summary>Whose confirmations there are, and which.</summary>
    public List<(int Recipient, long Serial)> Confirmations { get; } = [];

    /// <summary>When the sender last put something there, by the store's clock; null: it does not say.</summary>
    public DateTimeOffset? Sent { get; set; }

    /// <summary>Changes when anything but a confirmation comes, goes or grows: unfinished files too.</summary>
    public long Traces { get; set; }

    /// <summary>The newest confirmation of a recipient first.</summary>
    public IEnumerable<long> Of(int recipient) => Confirmations.Where(one => one.Recipient == recipient).Select(one => one.Serial).OrderDescending();
}
