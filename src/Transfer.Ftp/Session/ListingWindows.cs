namespace Transfer.Ftp.Session;

/// <summary>
/// One directory through three windows of one size: its names from the first one on, from the last one back, and from the first one on with
/// the hidden ones. All are sorted by their bytes before the server counts them.
/// </summary>
/// <param name="First">The entries that sort first.</param>
/// <param name="Last">The entries that sort last.</param>
/// <param name="Hidden">The entries that sort first, names with a leading dot included.</param>
internal sealed record ListingWindows(ListingWindow First, ListingWindow Last, ListingWindow Hidden)
{
    /// <summary>
    /// Whether no entry is outside of all three: the windows are sorted as requested, they overlap, and they hold all known entries.
    /// </summary>
    /// <param name="known">Names that another listing has.</param>
    public bool AreComplete(IEnumerable<string> known) =>
        First.IsAscending && Last.IsDescending && Hidden.IsAscending && HasPlain && HasHidden
        && !known.Except(Entries.Select(entry => entry.Name)).Any();

    /// <summary>Every entry of the windows, once.</summary>
    public IEnumerable<RemoteEntry> Entries => All.SelectMany(window => window.Entries).DistinctBy(entry => entry.Name);

    private IEnumerable<ListingWindow> All => [First, Last, Hidden];

    // When both share a name, names before that one are in the first window, and those behind in the last.
    private bool HasPlain =>
        !First.IsTruncated || !Last.IsTruncated
        || First.Entries.Select(entry => entry.Name).Intersect(Last.Entries.Select(entry => entry.Name)).Any();

    // Hidden names sort together: with a later name in the window, all are there. Some servers show hidden names without -a.
    private bool HasHidden =>
        !Hidden.IsTruncated
        || Hidden.Entries.Any(entry => entry.Name[0] > '.') || First.Entries.Concat(Last.Entries).Any(entry => entry.Name[0] == '.');
}
