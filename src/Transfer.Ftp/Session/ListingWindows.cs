namespace Transfer.Ftp.Session;

/// <summary>
/// One directory through three windows of one size: its names from the first one on, from the last one back, and from the first one on with the hidden ones. All are sorted
/// by their bytes before they are counted.
/// </summary>
/// <param name="First">Those that sort first.</param>
/// <param name="Last">Those that sort last.</param>
/// <param name="Hidden">Those that sort first, names that begin with a dot included.</param>
internal sealed record ListingWindows(ListingWindow First, ListingWindow Last, ListingWindow Hidden)
{
    /// <summary>Nothing is outside of all three: the windows are what was asked for, they overlap, and what else is known to be there is in them.</summary>
    /// <param name="known">Names that another listing has.</param>
    public bool AreComplete(IEnumerable<string> known) =>
        First.IsAscending && Last.IsDescending && Hidden.IsAscending && HasPlain && HasHidden && !known.Except(Entries.Select(entry => entry.Name)).Any();

    /// <summary>Every entry that was seen, once.</summary>
    public IEnumerable<RemoteEntry> Entries => All.SelectMany(window => window.Entries).DistinctBy(entry => entry.Name);

    private IEnumerable<ListingWindow> All => [First, Last, Hidden];

    // With a name in both, each name is before it, and so in the first, or behind it, and so in the last.
    private bool HasPlain => !First.IsTruncated || !Last.IsTruncated || First.Entries.Select(entry => entry.Name).Intersect(Last.Entries.Select(entry => entry.Name)).Any();

    // Hidden names sort together: with one behind them, they are all there. Some servers show them without being asked to.
    private bool HasHidden => !Hidden.IsTruncated || Hidden.Entries.Any(entry => entry.Name[0] > '.') || First.Entries.Concat(Last.Entries).Any(entry => entry.Name[0] == '.');
}
