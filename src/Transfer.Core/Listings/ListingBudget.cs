namespace Transfer.Listings;

/// <summary>
/// The memory that a client's listings may take together (<see cref="TransferClientOptions.MaxListingBytes"/>): a server may send names
/// without end. Thread-safe.
/// </summary>
/// <param name="limit">Bytes.</param>
internal sealed class ListingBudget(long limit)
{
    private long _used;

    /// <summary>The number of bytes in all.</summary>
    public long Limit => limit;

    /// <summary>The number of bytes in use.</summary>
    public long Used => Volatile.Read(ref _used);

    /// <summary>Whether more than a quarter is in use: then few directories are listed at the same time.</summary>
    public bool IsShort => Used > limit / 4;

    /// <summary>Opens a share, which is charged with the entries kept of a directory.</summary>
    /// <param name="directory">The path, for the error.</param>
    public ListingShare Open(string directory) => new(this, directory);

    /// <summary>Takes bytes; false: too few are left.</summary>
    public bool TryTake(long bytes)
    {
        if (Interlocked.Add(ref _used, bytes) <= limit) return true;
        Interlocked.Add(ref _used, -bytes);
        return false;
    }

    /// <summary>Gives bytes back.</summary>
    public void Return(long bytes) => Interlocked.Add(ref _used, -bytes);

    /// <summary>The error of a directory whose listing exceeds the budget.</summary>
    public TransferException Exceeded(string directory) =>
        new(TransferError.Partial,
            $"The listing of {directory} takes more memory than MaxListingBytes (--max-listing) allows, {limit} bytes in all, and was "
            + "not read to its end.")
        {
            RemotePath = directory,
            IsTransient = false,
        };
}
