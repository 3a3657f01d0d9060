namespace Transfer;

/// <summary>
/// A remote file being written. <see cref="CommitAsync"/> publishes the file under its name; disposing without a commit publishes nothing
/// and deletes the temporary file. Synchronous calls block the thread.
/// </summary>
public abstract class TransferWriteStream : Stream
{
    /// <summary>Ends the file, waits for the server's confirmation, and publishes the file.</summary>
    public abstract ValueTask<TransferResult> CommitAsync(CancellationToken cancellationToken = default);
}
