namespace Transfer.Engine.Trees;

/// <summary>
/// A listing in a few bytes: links that lead in a circle show the same listing again and again. Two listings of the same entries have the
/// same sign, in any order.
/// </summary>
/// <param name="Count">The number of entries.</param>
/// <param name="Hash">A sum over the entries.</param>
internal readonly record struct ListingSign(long Count, long Hash)
{
    /// <summary>Whether there is no entry.</summary>
    public bool IsEmpty => Count == 0;

    /// <summary>Returns the sign of a listing.</summary>
    public static ListingSign Of(IReadOnlyList<TreeEntry> entries)
    {
        var sign = default(ListingSign);
        foreach (var entry in entries) sign = sign.With(entry.Name, entry.Type, entry.RawLength, entry.ModifiedTicks);
        return sign;
    }

    /// <summary>Returns the sign with another entry.</summary>
    public ListingSign With(RemoteEntry entry) => With(entry.Name, entry.Type, entry.Length ?? -1, entry.Modified?.UtcTicks ?? 0);

    /// <summary>
    /// Returns whether a directory above has the same listing, which is not empty: a link may lead there that the server lists as a
    /// directory.
    /// </summary>
    /// <param name="directory">The directory, listed like those above.</param>
    public static bool RepeatsAbove(IListedDirectory directory)
    {
        if (directory.Sign.IsEmpty) return false;
        for (var at = directory.Above; at is not null; at = at.Above)
        {
            if (at.Sign == directory.Sign) return true;
        }
        return false;
    }

    private ListingSign With(string name, RemoteEntryType type, long length, long ticks)
    {
        var low = (uint)HashCode.Combine(name, type, length, ticks);
        var high = (uint)HashCode.Combine(low, ticks, name, length);
        return new(Count + 1, unchecked(Hash + (((long)high << 32) | low)));
    }
}
