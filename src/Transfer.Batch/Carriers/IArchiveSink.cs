namespace Transfer.Batch.Carriers;

/// <summary>Receives the archives of a carrier: opens and unpacks them, and makes their files safe.</summary>
internal interface IArchiveSink
{
    /// <summary>Reads one archive to the end and returns when the files are safe. Called by every lane of the carrier, concurrently; a lane
    /// receives the next archive during the wait for the disk.</summary>
    /// <param name="index">The archive's number, as sent to the carrier; the sealed header must hold the same.</param>
    /// <param name="archive">The archive's bytes and nothing more.</param>
    /// <param name="ct">Stops the work: half-written files are deleted.</param>
    /// <exception cref="TransferException">The archive is not authentic, cut off or malformed (<see cref="TransferError.Integrity"/> or
    /// <see cref="TransferError.Protocol"/>), or the disk is full.</exception>
    ValueTask<ArchiveReceipt> ReceiveAsync(long index, Stream archive, CancellationToken ct);

    /// <summary>Drops the receipt of an archive that will not arrive again.</summary>
    void Forget(long index)
    {
    }
}
