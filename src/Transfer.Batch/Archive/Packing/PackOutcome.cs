namespace Transfer.Batch.Archive.Packing;

/// <summary>The outcome of an item when the archive was written.</summary>
internal enum PackOutcome
{
    /// <summary>Not reached yet.</summary>
    Waiting,

    /// <summary>In the archive, as planned.</summary>
    Packed,

    /// <summary>Changed meanwhile: the bytes in the archive do not count.</summary>
    Changed,

    /// <summary>Changed and back in line: a later archive holds the item.</summary>
    Requeued,

    /// <summary>Unreadable, and reported as such.</summary>
    Failed,

    /// <summary>Not begun after the job was stopped: left for another job, without a result.</summary>
    Postponed,
}
