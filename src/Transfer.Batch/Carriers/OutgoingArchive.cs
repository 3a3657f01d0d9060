namespace Transfer.Batch.Carriers;

/// <summary>One archive on its way, packed while being written, so that none is held whole in memory. Ends by <see cref="Confirm"/> or
/// <see cref="Fail"/>, once.</summary>
internal abstract class OutgoingArchive
{
    /// <summary>The archive's number in the job, from 0.</summary>
    public abstract long Index { get; }

    /// <summary>Packs, compresses and seals the archive into a stream. A carrier calls this again after a loss: the files are read again,
    /// under a fresh salt.</summary>
    public abstract ValueTask WriteToAsync(Stream destination, CancellationToken ct);

    /// <summary>The digest of the last writing (docs/internals/batch-format.md, "Digest"), for carriers that settle the archive before any
    /// reader.</summary>
    public virtual ReadOnlyMemory<byte> Digest => default;

    /// <summary>Settles the archive: the receiver has published the files safely, except those that the receipt names.</summary>
    public abstract void Confirm(ArchiveReceipt receipt);

    /// <summary>Fails the archive, which can't be carried.</summary>
    public abstract void Fail(TransferException error);
}
