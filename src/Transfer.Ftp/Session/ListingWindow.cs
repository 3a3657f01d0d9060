namespace Transfer.Ftp.Session;

/// <summary>The entries that one sorted listing gives before it ends, or is truncated.</summary>
/// <param name="Entries">The entries, in the server's order.</param>
/// <param name="IsTruncated">There are others behind them.</param>
internal sealed record ListingWindow(IReadOnlyList<RemoteEntry> Entries, bool IsTruncated)
{
    /// <summary>Each name sorts behind the one before it, by bytes; a server that does not sort, or not as it was told to, is found out by it.</summary>
    public bool IsAscending => IsOrdered(1);

    /// <summary>Each name sorts before the one before it.</summary>
    public bool IsDescending => IsOrdered(-1);

    private bool IsOrdered(int direction)
    {
        // One name alone shows no order.
        if (IsTruncated && Entries.Count < 2) return false;
        byte[]? before = null;
        foreach (var entry in Entries)
        {
            var name = NameEncoding.LosslessUtf8.GetBytes(entry.Name);
            if (before is not null && name.AsSpan().SequenceCompareTo(before) * direction <= 0) return false;
            before = name;
        }
        return true;
    }
}
