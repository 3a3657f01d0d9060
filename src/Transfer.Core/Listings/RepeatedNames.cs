using System.Globalization;
using Transfer.Sessions;

namespace Transfer.Listings;

/// <summary>
/// Finds names that come twice in the listing of one directory: a server that gives a name again may leave out another. The first names
/// of a large directory are compared, so that the memory is bounded.
/// </summary>
internal sealed class RepeatedNames
{
    private const int Most = 1 << 16;

    private readonly HashSet<string> _paths = new(StringComparer.Ordinal);
    private long _repeated;

    /// <summary>The gap of a listing with repeated names.</summary>
    /// <param name="count">Their number.</param>
    public static string Gap(long count) => string.Create(CultureInfo.InvariantCulture, $"{count} names come more than once");

    /// <summary>Adds a listed path, which every entry has already.</summary>
    public void Add(string path)
    {
        if (_paths.Count < Most ? !_paths.Add(path) : _paths.Contains(path)) _repeated++;
    }

    /// <summary>Adds the gap to the report of the listing, if there is one.</summary>
    public void ReportTo(ListingReport report)
    {
        if (_repeated > 0) report.AddGap(Gap(_repeated));
    }
}
