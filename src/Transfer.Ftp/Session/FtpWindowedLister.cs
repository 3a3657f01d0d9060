using System.Globalization;
using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// Finds the entries that Pure-FTPd omits above its limit (<c>-L</c>, 10,000 by default): LIST sorts by name before counting, backwards too
/// (<c>-r</c>), so a directory of nearly twice as many is seen whole. MLSD and NLST do not sort, and patterns do not help: a listing ends
/// after that number of entries read, matching or not.
/// </summary>
internal sealed class FtpWindowedLister
{
    // Pure-FTPd's own limit (LimitRecursion) can be raised this far.
    private const int MostInWindow = 100_000;

    private readonly FtpSessionContext _context;
    private readonly FtpDataOpener _opener;

    public FtpWindowedLister(FtpSessionContext context, FtpDataOpener opener)
    {
        _context = context;
        _opener = opener;
    }

    /// <summary>Lists a directory through windows.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="mlsd">Entries found are described as by MLSD, else as by LIST.</param>
    /// <param name="names">The names known already.</param>
    /// <param name="report">Collects the gaps of the windows.</param>
    /// <param name="ct">Cancels.</param>
    /// <returns>The entries not known before, and whether these are all; null: the server does not list so.</returns>
    public async ValueTask<MoreEntries?> ListAsync(string directory, bool mlsd, IReadOnlySet<string> names, ListingReport report,
        CancellationToken ct)
    {
        try
        {
            await _context.ChangeDirectoryAsync(directory, ct).ConfigureAwait(false);
            var windows = new ListingWindows(
                await ReadAsync(directory, null, report, ct).ConfigureAwait(false),
                await ReadAsync(directory, "-r", report, ct).ConfigureAwait(false),
                await ReadAsync(directory, "-a", report, ct).ConfigureAwait(false));
            // Pure-FTPd ends a session when its current directory is deleted, and the caller may delete this one next.
            await _context.ChangeDirectoryAsync(RemotePath.Home, ct).ConfigureAwait(false);
            var found = windows.Entries.Where(entry => !names.Contains(entry.Name)).ToList();
            return new(mlsd ? await DescribeAsync(found, report, ct).ConfigureAwait(false) : found, windows.AreComplete(names));
        }
        catch (TransferException e) when (e is not TransferConnectionException && _context.Control.PendingCount == 0)
        {
            Log.NoWindows(_context.Logger, directory, e.Message);
            return null;
        }
    }

    private async ValueTask<ListingWindow> ReadAsync(string directory, string? option, ListingReport report, CancellationToken ct)
    {
        var (own, entries) = (new ListingReport(), new List<RemoteEntry>());
        var listing = new FtpListing(_context, _opener, directory, own);
        // The server cuts each window after some thousands of entries.
        await foreach (var entry in listing.ReadAsync(new FtpCommand("LIST", option), ct).ConfigureAwait(false))
        {
            entries.Add(entry);
            if (entries.Count > MostInWindow)
            {
                throw new TransferException(TransferError.Protocol,
                    $"More than {MostInWindow} lines came of a listing that the server claims to have cut.");
            }
        }
        if (own.Reason is { } reason) report.AddGap(reason);
        if (listing.Truncation is { } text && ListingReply.FirstNumber(text) != listing.Named)
            throw new TransferException(TransferError.Protocol, $"{listing.Named} lines came of a listing, but the server reports: {text}");
        return new(entries, listing.Truncation is not null);
    }

    // LIST has minutes, in an unknown zone: the other entries of this listing have more.
    private async ValueTask<List<RemoteEntry>> DescribeAsync(List<RemoteEntry> found, ListingReport report, CancellationToken ct)
    {
        FtpCommand[] commands = [.. found.Select(entry => new FtpCommand("MLST", _context.Expand(entry.Path)))];
        var replies = await _context.ExecuteAllAsync(commands, ct).ConfigureAwait(false);
        List<RemoteEntry> described = [
            .. found.Select((entry, i) => FtpLookUp.FromMlst(_context, entry.Path, replies[i])).OfType<RemoteEntry>()];
        var lost = found.Count - described.Count;
        if (lost > 0) report.AddGap(string.Create(CultureInfo.InvariantCulture, $"{lost} of its names could not be looked up"));
        return described;
    }
}
