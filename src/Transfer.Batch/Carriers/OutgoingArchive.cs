namespace Transfer.Batch.Carriers;

/// <summary>One archive on its way. It is packed while it is written, so none is held whole in memory. Ends by <see cref="Confirm"/> or <see cref="Fail"/>, once.</summary>
internal abstract class OutgoingArchive
{
    /// <summary>Its number in the job, from 0.</summary>
    public abstract long Index { get; }

    /// <summary>Packs, compresses and seals it into a stream. A carrier that lost it calls this again: the files are read again, under a fresh salt.</summary>
    public abstract ValueTask WriteToAsync(Stream destination, CancellationToken ct);

    /// <summary>What names its last writing (docs/internals/batch-format.md, "Digest"), for carriers that settle it before anybody has read it.</summary>
    public virtual ReadOnlyMemory<byte> Digest => default;

    /// <summary>The receiver has its files safely under their names, but for those that the receipt tells of.</summary>
    public abstract void Confirm(ArchiveReceipt receipt);

    /// <summary>It can't be carried.</summary>
    public abstract void Fail(TransferException error);
}
