namespace Transfer;

/// <summary>
/// A remote file being written. <see cref="CommitAsync"/> publishes it under its name; disposed without that,
/// nothing is published and the temporary file is deleted. Synchronous calls block the thread.
/// </summary>
public abstract class TransferWriteStream : Stream
{
    /// <summary>Ends the file, waits until the server has confirmed it, and publishes it.</summary>
    public abstract ValueTask<TransferResult> CommitAsync(CancellationToken cancellationToken = default);
}
