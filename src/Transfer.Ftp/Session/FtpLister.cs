using System.Runtime.CompilerServices;
using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// Lists one directory over a data connection: MLSD (RFC 3659 section 7), else LIST after a CWD, which shows whether the directory exists
/// and needs no quoting, else NLST. Reports every reason why the listing is not complete.
/// </summary>
internal sealed class FtpLister
{
    private readonly FtpSessionContext _context;
    private readonly FtpDataOpener _opener;
    private readonly FtpWindowedLister _windows;
    private readonly FtpNameLister _names;
    private readonly FtpLookUp? _lookUp;

    /// <param name="context">The session.</param>
    /// <param name="opener">Opens data connections.</param>
    /// <param name="look">Looks at paths by the commands about single entries.</param>
    /// <param name="lookUp">Looks at a directory that CWD does not enter, without this lister; null: the reply decides.</param>
    public FtpLister(
        FtpSessionContext context, FtpDataOpener opener,
        Func<IReadOnlyList<string>, CancellationToken, ValueTask<IReadOnlyList<FtpLook>>> look, FtpLookUp? lookUp = null)
    {
        _context = context;
        _opener = opener;
        _lookUp = lookUp;
        _windows = new FtpWindowedLister(context, opener);
        _names = new FtpNameLister(context, opener, look);
    }

    /// <summary>The server's best command, as far as known.</summary>
    public FtpListCommand Rung =>
        _context.Profile.Mlst || _context.Ladders.List.Rung > FtpListCommand.List ? _context.Ladders.List.Rung : FtpListCommand.List;

    /// <summary>
    /// The best command for a directory. Behind MLSD a path with a space may be cut, unlike behind CWD (<see cref="FtpSpaces"/>): some
    /// servers take the words of listings for options.
    /// </summary>
    public FtpListCommand RungOf(string directory) =>
        Rung == FtpListCommand.Mlsd && !IsForced && _context.Profile.Flavor == FtpFlavor.Unknown && FtpSpaces.Has(directory)
            ? FtpListCommand.MlsdInFolder : Rung;

    private bool IsForced => _context.Options.Compatibility.List is not null;

    /// <summary>Lists by the server's best command, or the next where that is refused.</summary>
    public IAsyncEnumerable<RemoteEntry> ListAsync(string directory, ListingReport report, CancellationToken ct) =>
        FromHomeAsync(ListUncontradictedAsync(directory, report, ct), ct);

    private async IAsyncEnumerable<RemoteEntry> FromHomeAsync(
        IAsyncEnumerable<RemoteEntry> entries, [EnumeratorCancellation] CancellationToken ct)
    {
        try
        {
            await foreach (var entry in entries.ConfigureAwait(false)) yield return entry;
        }
        finally
        {
            await _context.ReturnHomeAsync(ct).ConfigureAwait(false);
        }
    }

    // A directory that one reply calls absent and a later one shows may have been made in between, by another session: it is listed anew.
    private async IAsyncEnumerable<RemoteEntry> ListUncontradictedAsync(
        string directory, ListingReport report, [EnumeratorCancellation] CancellationToken ct)
    {
        for (var isSecond = false; ; isSecond = true)
        {
            var entries = ListByLadderAsync(directory, report, ct).GetAsyncEnumerator(ct);
            await using var ended = entries.ConfigureAwait(false);
            bool hasEntry;
            try
            {
                hasEntry = await entries.MoveNextAsync().ConfigureAwait(false);
            }
            catch (TransferException e) when (!isSecond && FtpLookUp.IsContradicted(e))
            {
                continue;
            }
            for (; hasEntry; hasEntry = await entries.MoveNextAsync().ConfigureAwait(false)) yield return entries.Current;
            yield break;
        }
    }

    private async IAsyncEnumerable<RemoteEntry> ListByLadderAsync(
        string directory, ListingReport report, [EnumeratorCancellation] CancellationToken ct)
    {
        var (ladder, first) = (_context.Ladders.List, RungOf(directory));
        // Refusals of the command, and those that some servers give for an empty directory.
        var (unknown, empty, isEntered) = ((TransferException?)null, (TransferException?)null, false);
        TransferException? unread = null; // a listing of which not one line was understood
        TransferException? doubtful = null; // a refusal of MLSD, of the command or of the directory
        var below = first;
        await _opener.PrepareAsync(ct).ConfigureAwait(false);
        for (var rung = first; ; rung = empty is null || rung >= FtpListCommand.List ? rung + 1 : FtpListCommand.List)
        {
            if (rung != FtpListCommand.Mlsd && !isEntered)
            {
                // In the flight of CWD. A directory that is refused leaves the connection to the next transfer.
                _opener.OpenAhead(sends: false);
                await EnterAsync(directory, ct).ConfigureAwait(false);
            }
            isEntered = rung != FtpListCommand.Mlsd;
            var entries = ListAsync(directory, rung, report, ct).GetAsyncEnumerator(ct);
            await using var ended = entries.ConfigureAwait(false);
            var isLastTry = (empty ?? unread ?? doubtful) is not null;
            var (hasEntry, refused) = await BeginAsync(entries, directory, rung, isLastTry, ct).ConfigureAwait(false);
            if (refused is not null)
            {
                if (IsUnread(refused)) unread = refused;
                if (MayMeanEmpty(refused, directory)) empty ??= refused;
                // Unreadable lines of one directory do not speak against an MLSD that has listed another.
                else if (MayBeOfCommand(refused, rung, isLastTry: true) && !(IsUnread(refused) && _context.Host.ListsByMlsd))
                    (unknown, below) = (unknown ?? refused, rung + 1);
                else doubtful ??= refused;
                if (rung < FtpListCommand.Nlst && !IsForced) continue;
            }
            // There are entries, and the lines say more than the refusal of NLST.
            if ((refused is not null || !hasEntry) && unread is not null) throw unread;
            if (!hasEntry && empty is not null)
            {
                // An absent directory is refused here.
                if (!isEntered) await EnterAsync(directory, ct).ConfigureAwait(false);
                report.DoubtRefusal();
                if (_context.Host.NoteRefusedListing()) Log.ListingRefused(_context.Logger, directory, empty.Message.TrimEnd('.'));
                else Log.ListingRefusedAgain(_context.Logger, directory, empty.Message.TrimEnd('.'));
                yield break;
            }
            // The directory was refused, unless another command shows entries.
            if (!hasEntry && rung >= FtpListCommand.List && doubtful is not null) throw Denied(doubtful);
            if ((empty ?? doubtful) is { } passed && hasEntry && rung > first && !_context.Host.ListsByMlsd)
                (unknown, below) = (unknown ?? passed, rung);
            // The refusal was about the command, and not about the directory.
            for (var left = first; left < below; left++) ladder.Leave(left, unknown!.Message);
            if (_context.Profile.Mlst && rung >= FtpListCommand.List) ladder.Prove();
            // The listing may have ended before its rung was found.
            _context.Ladders.Confirm();
            // LIST may have taken over from an MLSD that shows nothing.
            if (rung < FtpListCommand.List && hasEntry && _context.ListsByMlsd) _context.Host.ListsByMlsd = true;
            for (; hasEntry; hasEntry = await entries.MoveNextAsync().ConfigureAwait(false)) yield return entries.Current;
            yield break;
        }
    }

    /// <summary>Lists by LIST.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="options">LIST gets <c>-a</c>.</param>
    /// <param name="report">Collects the gaps of the listing.</param>
    /// <param name="ct">Cancels.</param>
    public IAsyncEnumerable<RemoteEntry> ListByListAsync(string directory, bool options, ListingReport report, CancellationToken ct) =>
        FromHomeAsync(ListInAsync(directory, ListCommand(options), report, ct), ct);

    private async IAsyncEnumerable<RemoteEntry> ListInAsync(
        string directory, FtpCommand command, ListingReport report, [EnumeratorCancellation] CancellationToken ct)
    {
        await _opener.PrepareAsync(ct).ConfigureAwait(false);
        await _context.ChangeDirectoryAsync(directory, ct).ConfigureAwait(false);
        await foreach (var entry in ListAsync(directory, command, report, null, null, ct).ConfigureAwait(false)) yield return entry;
    }

    // FileZilla Server does not show the directory itself, and refuses what it cannot list.
    private async ValueTask<bool> IsProvedAsync(
        FtpListing listing, string directory, ListingReport report, Func<CancellationToken, ValueTask>? alone, CancellationToken ct)
    {
        if (listing.Named > 0) _context.Host.ListsByMlsd = true;
        if (!listing.IsSilent || _context.Profile.Flavor == FtpFlavor.FileZilla) return true;
        if (IsForced)
        {
            report.DoubtEmptiness();
            return true;
        }
        if (alone is not null) await alone(ct).ConfigureAwait(false);
        return !await new FtpSilentListing(_context, _opener).HasEntriesAsync(
            directory, ListCommand(_context.ListTakesOptions), report, ct).ConfigureAwait(false);
    }

    private async ValueTask CheckEntersAsync(string directory, Func<CancellationToken, ValueTask>? alone, CancellationToken ct)
    {
        if (alone is not null) await alone(ct).ConfigureAwait(false);
        try
        {
            await _context.ChangeDirectoryAsync(directory, ct).ConfigureAwait(false);
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            throw Denied(e);
        }
    }

    private async ValueTask<IReadOnlyList<RemoteEntry>> CompareAsync(
        string directory, IReadOnlySet<string> names, Func<CancellationToken, ValueTask>? alone, CancellationToken ct)
    {
        if (alone is not null)
        {
            await alone(ct).ConfigureAwait(false);
            await _context.ChangeDirectoryAsync(directory, ct).ConfigureAwait(false);
        }
        return await new FtpListingComparison(_context, _opener).FindHiddenAsync(directory, names, ct).ConfigureAwait(false);
    }

    private async IAsyncEnumerable<RemoteEntry> FindUntypedAsync(string directory, IReadOnlySet<string> names, ListingReport report,
        Func<CancellationToken, ValueTask>? alone, [EnumeratorCancellation] CancellationToken ct)
    {
        if (IsForced)
        {
            FtpUntypedEntries.AddGap(report, names.Count);
            yield break;
        }
        if (alone is not null) await alone(ct).ConfigureAwait(false);
        var entries = new FtpUntypedEntries(_context, _opener).FindAsync(
            directory, names, ListCommand(_context.ListTakesOptions), report, ct);
        await foreach (var entry in entries.ConfigureAwait(false)) yield return entry;
    }

    private async ValueTask<(bool HasEntry, TransferException? Refused)> BeginAsync(
        IAsyncEnumerator<RemoteEntry> entries, string directory, FtpListCommand rung, bool isLastTry, CancellationToken ct)
    {
        try
        {
            return (await entries.MoveNextAsync().ConfigureAwait(false), null);
        }
        catch (TransferException e) when ((_context.IsUnanswered || HasEndedAtMlsd) && rung < FtpListCommand.List && !IsForced)
        {
            var why = _context.Control.Fault?.Message ?? e.Message;
            if (_context.IsUnanswered || _context.Ladders.List.NoteLoss(_context.OpenedAt))
            {
                for (var left = rung; left < FtpListCommand.List; left++) _context.Ladders.List.Leave(left, why, mayPass: true);
            }
            throw new TransferConnectionException(TransferError.Lost, why, e) { RemotePath = directory, IsTransient = true };
        }
        catch (TransferException e) when (e is not TransferConnectionException && _context.Control is { Usable: true, PendingCount: 0 })
        {
            // A server that is busy for a moment is asked the same again first.
            if (e.ServerCode is 425 or 426 or 451 && !_context.Host.NoteBusyListing(directory)) throw;
            if (MayMeanEmpty(e, directory) || MayBeOfCommand(e, rung, isLastTry) || MayBeOfMlsd(e, rung)) return (false, e);
            if (e.Error != TransferError.NotFound) throw;
            if (rung == FtpListCommand.Mlsd) await EnterAsync(directory, ct).ConfigureAwait(false);
            throw Denied(e);
        }
    }

    private async ValueTask EnterAsync(string directory, CancellationToken ct)
    {
        try
        {
            await _context.ChangeDirectoryAsync(directory, ct).ConfigureAwait(false);
        }
        catch (TransferException e) when (e.Error == TransferError.NotFound && _lookUp is not null)
        {
            throw await _lookUp.ExplainFolderAsync(e, directory, ct).ConfigureAwait(false);
        }
    }

    // The directory exists, as CWD has entered it.
    private static TransferException Denied(TransferException refusal) => refusal.Error != TransferError.NotFound ? refusal
        : new TransferException(TransferError.Denied, refusal.Message, refusal)
        {
            RemotePath = refusal.RemotePath,
            ServerCode = refusal.ServerCode,
        };

    // MLSD has not worked here yet: some servers end the session there.
    private bool HasEndedAtMlsd => !_context.Host.ListsByMlsd && _context.Control.Fault is { Error: TransferError.Lost };

    private static bool IsUnread(TransferException error) =>
        error is { Error: TransferError.Unsupported, ServerCode: null } and not TransferConnectionException;

    // A server that has listed by MLSD may still take no path with a space.
    private bool MayBeOfCommand(TransferException error, FtpListCommand rung, bool isLastTry) => rung switch
    {
        _ when error is TransferConnectionException => false,
        _ when IsForced || rung == FtpListCommand.Nlst => isLastTry,
        // Not one line was understood: of LIST bare names, perhaps, which NLST has too, and which are then looked at.
        _ when IsUnread(error) => true,
        FtpListCommand.MlsdInFolder when _context.Host.ListsByMlsd => false,
        _ => error.ServerCode is 202 or 500 or 501 or 502 or 503 or 504,
    };

    // MLSD has not worked here yet: administrators forbid single commands, and servers have codes of their own for that.
    private bool MayBeOfMlsd(TransferException error, FtpListCommand rung) =>
        rung < FtpListCommand.List && !IsForced && !_context.Host.ListsByMlsd && error.ServerCode is >= 500 or 425 or 426 or 451;

    // The servers that are known refuse unreadable directories only.
    private bool MayMeanEmpty(TransferException error, string directory) =>
        error is { ServerCode: 550 or 450 or 451 } && _context.Profile.Flavor == FtpFlavor.Unknown
        && !ListingReply.IsAboutAccess(error.Message, _context.Expand(directory));

    private IAsyncEnumerable<RemoteEntry> ListAsync(
        string directory, FtpListCommand rung, ListingReport report, CancellationToken ct) =>
        rung == FtpListCommand.Nlst
        ? _names.ListAsync(directory, report, ct) : ListAsync(directory, CommandOf(directory, rung), report, null, null, ct);

    /// <summary>The command of a rung above NLST, to be sent in the directory where the command has no path.</summary>
    public FtpCommand CommandOf(string directory, FtpListCommand rung) => rung switch
    {
        FtpListCommand.Mlsd => new("MLSD", _context.Expand(directory)),
        FtpListCommand.MlsdInFolder => new("MLSD"),
        _ => ListCommand(_context.ListTakesOptions),
    };

    private static FtpCommand ListCommand(bool options) => new("LIST", options ? "-a" : null);

    /// <summary>Lists by one command.</summary>
    /// <param name="directory">The directory, which is the current one where the command has no path.</param>
    /// <param name="command">MLSD or LIST.</param>
    /// <param name="report">Collects the gaps of the listing.</param>
    /// <param name="sent">The exchange with its commands sent; null: they are sent here.</param>
    /// <param name="alone">Waits until further commands can be sent; null: they can.</param>
    /// <param name="ct">Cancels.</param>
    public async IAsyncEnumerable<RemoteEntry> ListAsync(string directory, FtpCommand command, ListingReport report, FtpExchange? sent,
        Func<CancellationToken, ValueTask>? alone, [EnumeratorCancellation] CancellationToken ct)
    {
        var listing = new FtpListing(_context, _opener, directory, report);
        var isAny = false;
        var names = _context.Profile.Flavor == FtpFlavor.PureFtpd ? new KeptNames(_context.Options.MaxListingBytes) : null;
        var plain = _context.ComparesListings && command is { Verb: "LIST", Argument: null }
            ? new KeptNames(_context.Options.MaxListingBytes) : null;
        await foreach (var entry in listing.ReadAsync(command, ct, sent).ConfigureAwait(false))
        {
            // Pure-FTPd's LIST shows only files, folders and links, so the windows cannot hold any other entry.
            if (names is not null && entry.Type != RemoteEntryType.Other) names = names.Add(entry.Name);
            plain = plain?.Add(entry.Name);
            isAny = true;
            yield return entry;
        }
        // ProFTPD shows no entry of a directory that may be read and not entered, and completes the transfer.
        if (!isAny && listing.IsClosed) await CheckEntersAsync(directory, alone, ct).ConfigureAwait(false);
        if (command.Is("MLSD") && !await IsProvedAsync(listing, directory, report, alone, ct).ConfigureAwait(false))
        {
            var rung = command.Argument is null ? FtpListCommand.MlsdInFolder : FtpListCommand.Mlsd;
            _context.Ladders.List.Leave(rung, $"MLSD shows nothing of {directory}, and LIST does");
            var others = ListAsync(directory, CommandOf(directory, rung + 1), report, null, null, ct);
            await foreach (var entry in others.ConfigureAwait(false)) yield return entry;
            yield break;
        }
        if (listing.Untyped.Count > 0)
        {
            await foreach (var entry in FindUntypedAsync(directory, listing.Untyped, report, alone, ct).ConfigureAwait(false))
                yield return entry;
        }
        if (listing.MayHideDots)
        {
            var hidden = plain is null ? [] : await CompareAsync(directory, plain.Names, alone, ct).ConfigureAwait(false);
            if (!_context.ListTakesOptions) report.DoubtDots();
            foreach (var entry in hidden) yield return entry;
        }
        if (listing.Truncation is not { } truncation) yield break;
        if (alone is not null) await alone(ct).ConfigureAwait(false);
        var more = names is null
            ? null : await _windows.ListAsync(directory, command.Is("MLSD"), names.Names, report, ct).ConfigureAwait(false);
        foreach (var entry in more?.Entries ?? []) yield return entry;
        if (more is not { IsComplete: true }) report.AddGap($"the server says: {truncation}");
    }
}
