namespace Transfer.Ftp.Session;

/// <summary>The entries of one sorted listing up to its end or truncation.</summary>
/// <param name="Entries">The entries, in the server's order.</param>
/// <param name="IsTruncated">Whether the server omitted more entries.</param>
internal sealed record ListingWindow(IReadOnlyList<RemoteEntry> Entries, bool IsTruncated)
{
    /// <summary>
    /// Whether each name sorts behind the one before, by bytes: false exposes a server that does not sort, or not as requested.
    /// </summary>
    public bool IsAscending => IsOrdered(1);

    /// <summary>Whether each name sorts before its predecessor.</summary>
    public bool IsDescending => IsOrdered(-1);

    private bool IsOrdered(int direction)
    {
        // One name shows no order.
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
