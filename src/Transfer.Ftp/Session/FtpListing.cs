using System.Globalization;
using System.Runtime.CompilerServices;
using Transfer.Ftp.Listing;
using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>One MLSD or LIST: the entries, and a verdict from the lines, the end of the data and the final reply.</summary>
internal sealed class FtpListing
{
    private readonly FtpSessionContext _context;
    private readonly FtpDataOpener _opener;
    private readonly string _directory;
    private readonly ListingReport _report;
    private readonly ListingSummary _summary;

    /// <param name="context">The session.</param>
    /// <param name="opener">Opens the data connection.</param>
    /// <param name="directory">The directory, as the caller names it.</param>
    /// <param name="report">Collects the gaps of the listing.</param>
    public FtpListing(FtpSessionContext context, FtpDataOpener opener, string directory, ListingReport report)
    {
        _context = context;
        _opener = opener;
        _directory = directory;
        _report = report;
        _summary = new ListingSummary { MostUnused = context.Options.MaxListingBytes };
    }

    /// <summary>
    /// The server's notice that it left out entries above its limit; null: none. Not yet in the report: another way may find them.
    /// </summary>
    public string? Truncation { get; private set; }

    /// <summary>
    /// Whether names with a leading dot may be missing: LIST of a server like ls showed none. Not yet in the report.
    /// </summary>
    public bool MayHideDots { get; private set; }

    /// <summary>The number of lines with a name, <c>.</c> and <c>..</c> included.</summary>
    public long Named => _summary.Named;

    /// <summary>Whether no line held any information: not even the directory itself was shown.</summary>
    public bool IsSilent => _summary.IsSilent;

    /// <inheritdoc cref="ListingSummary.IsClosed"/>
    public bool IsClosed => _summary.IsClosed;

    /// <inheritdoc cref="ListingSummary.Untyped"/>
    public IReadOnlySet<string> Untyped => _summary.Untyped;

    /// <summary>Sends the command and returns the entries.</summary>
    /// <param name="command">MLSD or LIST.</param>
    /// <param name="ct">Cancels.</param>
    /// <param name="sent">The exchange with its commands sent already; it is disposed here; null: none.</param>
    /// <exception cref="TransferException">The listing was refused, broke off, or not one line was understood.</exception>
    public async IAsyncEnumerable<RemoteEntry> ReadAsync(
        FtpCommand command, [EnumeratorCancellation] CancellationToken ct, FtpExchange? sent = null)
    {
        var exchange = sent
            ?? await FtpExchange.StartAsync(_context, _opener, command, _directory, sends: false, ct).ConfigureAwait(false);
        await using var ended = exchange.ConfigureAwait(false);
        if (sent is not null) await sent.OpenAsync(ct).ConfigureAwait(false);
        exchange.Data.TakesUnconfirmedEnd = true;
        var kind = command.Is("MLSD") ? ListingKind.Mlsd : ListingKind.List;
        var clock = new ListingContext { Now = _context.Options.TimeProvider.GetUtcNow(), Offset = _context.Options.ListingOffset };
        var entries = ListingReader.ReadAsync(
            (buffer, token) => ReadAsync(exchange, buffer, token), kind, _directory, _context.Control.Encoding, clock, _summary,
            _context.Logger, ct);
        await foreach (var entry in entries.ConfigureAwait(false))
        {
            // The server owes nothing while the entry waits for its reader.
            exchange.Data.Hold();
            try
            {
                yield return _context.HasExactLengths ? entry : entry with { IsLengthApproximate = true };
            }
            finally
            {
                exchange.Data.Release();
            }
        }

        var reply = await FtpListingEnd.TakeAsync(_context, exchange, _summary.Named > 0, _report, ct).ConfigureAwait(false);
        if (!reply.IsDone) Refuse(exchange.Refusal(reply));
        if (_summary.IsUnintelligible) throw Unintelligible();
        if (exchange.IsUnused) _report.DoubtEmptiness();
        Judge(kind, reply, isPlain: kind == ListingKind.List && command.Argument is null);
    }

    private async ValueTask<int> ReadAsync(FtpExchange exchange, Memory<byte> buffer, CancellationToken ct)
    {
        try
        {
            return await exchange.ReadAsync(buffer, ct).ConfigureAwait(false);
        }
        catch (TransferException e) when (e.Error == TransferError.Integrity && _context.Control.Usable)
        {
            // In MODE Z an attacker may have made an unconfirmed end; the lines before are genuine.
            _report.AddGap($"the end of its data is in doubt ({e.Message.TrimEnd('.')})");
            return 0;
        }
        catch (TransferException e) when (IsRefusalAfterEntries(e))
        {
            return 0; // and the final reply says it again
        }
    }

    private void Refuse(TransferException refusal)
    {
        if (!IsRefusalAfterEntries(refusal)) throw refusal;
        _report.AddGap($"the server ended it with a refusal ({refusal.Message.TrimEnd('.')})");
    }

    // Entries before a permanent refusal count. A transient failure is retried instead.
    private bool IsRefusalAfterEntries(TransferException refusal) =>
        _summary.Named > 0 && refusal is { IsTransient: false, ServerCode: >= 500 } and not TransferConnectionException;

    private void Judge(ListingKind kind, FtpReply reply, bool isPlain)
    {
        _summary.ReportGaps(_report);
        if (!reply.IsDone) return;
        var sent = _context.Expand(_directory);
        Truncation = ListingReply.FindTruncation(reply, sent);
        if (ListingReply.FindDoubt(reply, sent) is { } doubt) _report.AddGap($"the server says: {doubt}");
        if (Truncation is null && ListingReply.FindCount(reply, _context.Profile.Flavor == FtpFlavor.PureFtpd) is { } count
            && count > _summary.Counted)
        {
            _report.AddGap(string.Create(CultureInfo.InvariantCulture, $"the server counts {count} entries, and {_summary.Counted} came"));
        }
        // RFC 3659 section 7.2.1 has MLSD refuse unreadable directories. LIST has no such rule: servers run ls and send the output.
        if (kind == ListingKind.List && _summary.IsSilent) _report.DoubtEmptiness();
        MayHideDots = isPlain && _summary is { IsUnix: true, HasDots: false };
    }

    private TransferException Unintelligible() => new(
        TransferError.Unsupported, $"Not one line of the listing was understood (the first: {_summary.FirstSkipped}).")
    { RemotePath = _directory };
}
