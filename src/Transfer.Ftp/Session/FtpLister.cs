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

    /// <summary>Lists by the server's best command, or the next where that is refused.</summary>
    public async IAsyncEnumerable<RemoteEntry> ListAsync(
        string directory, ListingReport report, [EnumeratorCancellation] CancellationToken ct)
    {
        var ladder = _context.Ladders.List;
        var first = _context.Profile.Mlst ? ladder.Rung : FtpListCommand.List;
        TransferException? refusal = null;
        for (var rung = first; ; rung++)
        {
            var entries = ListAsync(directory, rung, _context.Profile.ListTakesOptions, report, ct).GetAsyncEnumerator(ct);
            await using var ended = entries.ConfigureAwait(false);
            var (hasEntry, refused) = await BeginAsync(entries, rung).ConfigureAwait(false);
            if (refused is not null)
            {
                refusal ??= refused;
                continue;
            }
            // The refusal was about the command, and not about the directory.
            for (var left = first; left < rung; left++) ladder.Leave(left, refusal!.Message);
            if (rung != FtpListCommand.List) _context.Host.ListsByMlsd = true;
            for (; hasEntry; hasEntry = await entries.MoveNextAsync().ConfigureAwait(false)) yield return entries.Current;
            yield break;
        }
    }

    /// <summary>Lists by LIST.</summary>
    /// <inheritdoc cref="ListAsync(string, FtpListCommand, bool, ListingReport, CancellationToken)"/>
    public IAsyncEnumerable<RemoteEntry> ListByListAsync(string directory, bool options, ListingReport report, CancellationToken ct) =>
        ListAsync(directory, FtpListCommand.List, options, report, ct);

    private async ValueTask<(bool HasEntry, TransferException? Refused)> BeginAsync(
        IAsyncEnumerator<RemoteEntry> entries, FtpListCommand rung)
    {
        try
        {
            return (await entries.MoveNextAsync().ConfigureAwait(false), null);
        }
        catch (TransferException e) when (MayBeOfCommand(e, rung) && _context.Control is { Usable: true, PendingCount: 0 })
        {
            return (false, e);
        }
    }

    // A server that has listed by MLSD may still take no path with a space.
    private bool MayBeOfCommand(TransferException error, FtpListCommand rung) => rung switch
    {
        _ when _context.Options.Compatibility.List is not null || error is TransferConnectionException => false,
        FtpListCommand.List => false,
        FtpListCommand.MlsdInFolder when _context.Host.ListsByMlsd => false,
        _ => error.ServerCode is 500 or 501 or 502 or 503 or 504,
    };

    /// <summary>Lists by a given command.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="rung">The command.</param>
    /// <param name="options">LIST gets <c>-a</c>.</param>
    /// <param name="report">Collects the gaps of the listing.</param>
    /// <param name="ct">Cancels.</param>
    private async IAsyncEnumerable<RemoteEntry> ListAsync(
        string directory, FtpListCommand rung, bool options, ListingReport report, [EnumeratorCancellation] CancellationToken ct)
    {
        await _opener.PrepareAsync(ct).ConfigureAwait(false);
        var path = _context.Expand(directory);
        var command = rung switch
        {
            FtpListCommand.Mlsd => new FtpCommand("MLSD", path),
            FtpListCommand.MlsdInFolder => new FtpCommand("MLSD"),
            _ => new FtpCommand("LIST", options ? "-a" : null),
        };
        if (rung != FtpListCommand.Mlsd) await _context.ChangeDirectoryAsync(directory, ct).ConfigureAwait(false);
        var listing = new FtpListing(_context, _opener, directory, report);
        var names = _context.Profile.Flavor == FtpFlavor.PureFtpd ? new KeptNames(_context.Options.MaxListingBytes) : null;
        await foreach (var entry in listing.ReadAsync(command, ct).ConfigureAwait(false))
        {
            // Pure-FTPd's LIST shows only files, folders and links, so the windows cannot hold any other entry.
            if (names is not null && entry.Type != RemoteEntryType.Other) names = names.Add(entry.Name);
            yield return entry;
        }
        if (listing.Truncation is not { } truncation) yield break;
        var more = names is null
            ? null : await _windows.ListAsync(directory, rung != FtpListCommand.List, names.Names, report, ct).ConfigureAwait(false);
        foreach (var entry in more?.Entries ?? []) yield return entry;
        if (more is not { IsComplete: true }) report.AddGap($"the server says: {truncation}");
    }
}
