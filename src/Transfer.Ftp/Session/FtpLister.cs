using System.Runtime.CompilerServices;
using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// Lists one directory over a data connection: MLSD (RFC 3659 section 7), else LIST after a CWD, which shows whether the directory exists
/// and needs no quoting. Reports every reason why the listing is not complete.
/// </summary>
internal sealed class FtpLister
{
    private readonly FtpSessionContext _context;
    private readonly FtpDataOpener _opener;
    private readonly FtpWindowedLister _windows;

    public FtpLister(FtpSessionContext context, FtpDataOpener opener)
    {
        _context = context;
        _opener = opener;
        _windows = new FtpWindowedLister(context, opener);
    }

    /// <summary>Lists by the server's best command.</summary>
    public IAsyncEnumerable<RemoteEntry> ListAsync(string directory, ListingReport report, CancellationToken ct) =>
        ListAsync(directory, _context.Profile.Mlst, _context.Profile.ListTakesOptions, report, ct);

    /// <summary>Lists by a given command.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="mlsd">MLSD, else LIST.</param>
    /// <param name="options">LIST gets <c>-a</c>.</param>
    /// <param name="report">Collects the gaps of the listing.</param>
    /// <param name="ct">Cancels.</param>
    public async IAsyncEnumerable<RemoteEntry> ListAsync(
        string directory, bool mlsd, bool options, ListingReport report, [EnumeratorCancellation] CancellationToken ct)
    {
        await _opener.PrepareAsync(ct).ConfigureAwait(false);
        var path = _context.Expand(directory);
        var command = mlsd ? new FtpCommand("MLSD", path) : new FtpCommand("LIST", options ? "-a" : null);
        if (!mlsd) await _context.ChangeDirectoryAsync(directory, ct).ConfigureAwait(false);
        var listing = new FtpListing(_context, _opener, directory, report);
        var names = _context.Profile.Flavor == FtpFlavor.PureFtpd ? new KeptNames(_context.Options.MaxListingBytes) : null;
        await foreach (var entry in listing.ReadAsync(command, ct).ConfigureAwait(false))
        {
            // Pure-FTPd's LIST shows only files, folders and links, so the windows cannot hold any other entry.
            if (names is not null && entry.Type != RemoteEntryType.Other) names = names.Add(entry.Name);
            yield return entry;
        }
        if (listing.Truncation is not { } truncation) yield break;
        var more = names is null ? null : await _windows.ListAsync(directory, mlsd, names.Names, report, ct).ConfigureAwait(false);
        foreach (var entry in more?.Entries ?? []) yield return entry;
        if (more is not { IsComplete: true }) report.AddGap($"the server says: {truncation}");
    }
}
