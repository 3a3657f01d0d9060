namespace Transfer.Batch.Carriers;

/// <summary>Where a receiving carrier brings its archives: opens, unpacks and makes their files safe.</summary>
internal interface IArchiveSink
{
    /// <summary>Reads one archive to its end and returns when its files are safe. Called by every lane of the carrier, at the same time; a lane that need
    /// not wait for the disk has the next archive received meanwhile.</summary>
    /// <param name="index">Its number, as the carrier was told; the sealed header must say the same.</param>
    /// <param name="archive">Its bytes and nothing more.</param>
    /// <param name="ct">Gives it up: what is half written is deleted.</param>
    /// <exception cref="TransferException">The archive is not authentic, cut off or malformed (<see cref="TransferError.Integrity"/> or <see cref="TransferError.Protocol"/>), or the disk is full.</exception>
    ValueTask<ArchiveReceipt> ReceiveAsync(long index, Stream archive, CancellationToken ct);

    /// <summary>An archive that was received is not brought again: its receipt need not be remembered.</summary>
    void Forget(long index)
    {
    }
}
