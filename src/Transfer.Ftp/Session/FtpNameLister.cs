using System.Globalization;
using System.Runtime.CompilerServices;
using Transfer.Ftp.Listing;
using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// Lists the current directory by NLST (RFC 959 section 4.1.3), which has names only: the commands about single entries describe each.
/// </summary>
/// <param name="context">The session.</param>
/// <param name="opener">Opens the data connection.</param>
/// <param name="look">Looks at paths by the commands about single entries.</param>
internal sealed class FtpNameLister(
    FtpSessionContext context, FtpDataOpener opener,
    Func<IReadOnlyList<string>, CancellationToken, ValueTask<IReadOnlyList<FtpLook>>> look)
{
    private const int Together = 64;

    /// <summary>Lists the current directory.</summary>
    /// <param name="directory">The path of the current directory.</param>
    /// <param name="report">Collects the gaps of the listing.</param>
    /// <param name="ct">Cancels.</param>
    public async IAsyncEnumerable<RemoteEntry> ListAsync(
        string directory, ListingReport report, [EnumeratorCancellation] CancellationToken ct)
    {
        var names = await ReadAsync(directory, report, ct).ConfigureAwait(false);
        await context.ReturnHomeAsync(ct).ConfigureAwait(false);
        if (names.Count == 0) report.DoubtEmptiness();
        if (!names.Any(name => name.StartsWith('.'))) report.DoubtDots();
        var unknown = 0;
        foreach (var some in names.Where(name => name is not ("." or "..")).Chunk(Together))
        {
            var looks = await look([.. some.Select(name => RemotePath.Combine(directory, name))], ct).ConfigureAwait(false);
            foreach (var one in looks)
            {
                if (one.Outcome.Entry is { } entry) yield return entry;
                // No command says more than that the entry is no directory.
                else if (one is { IsOpen: true, IsDenied: false })
                    yield return new RemoteEntry { Path = one.Path, Type = RemoteEntryType.File };
                else unknown++;
            }
        }
        if (unknown > 0) report.AddGap(string.Create(CultureInfo.InvariantCulture, $"{unknown} of its names could not be looked up"));
    }

    private async ValueTask<IReadOnlySet<string>> ReadAsync(string directory, ListingReport report, CancellationToken ct)
    {
        var exchange = await FtpExchange.StartAsync(
            context, opener, new FtpCommand("NLST"), directory, sends: false, ct).ConfigureAwait(false);
        await using var ended = exchange.ConfigureAwait(false);
        exchange.Data.TakesUnconfirmedEnd = true;
        using var lines = new LineBuffer();
        var names = new KeptNames(context.Options.MaxListingBytes);
        var isUnusable = false;
        bool more;
        do
        {
            more = await lines.FillAsync(exchange.ReadAsync, ct).ConfigureAwait(false);
            while (lines.TryTake(final: !more, out var line))
            {
                var name = NameIn(context.Control.Encoding.GetString(line));
                var isUsable = name.Length > 0 && FtpNames.WhyUnsendable(name, context.Control.Encoding) is null;
                isUnusable |= !isUsable && !line.IsEmpty;
                names = (isUsable ? names.Add(name) : names.Drop(line.Length + 1)) ?? throw TooMany(directory);
            }
        }
        while (more);
        var reply = await FtpListingEnd.TakeAsync(context, exchange, names.Names.Count > 0, report, ct).ConfigureAwait(false);
        if (!reply.IsDone && names.Names.Count == 0) throw exchange.Refusal(reply);
        if (!reply.IsDone) report.AddGap($"the server ended it with a refusal ({reply.Code})");
        if (lines.IsCut) report.AddGap("its data ends inside a line");
        if (isUnusable) report.AddGap("one of its names cannot be sent");
        var sent = context.Expand(directory);
        if ((ListingReply.FindTruncation(reply, sent) ?? ListingReply.FindDoubt(reply, sent)) is { } doubt)
            report.AddGap($"the server says: {doubt}");
        return names.Names;
    }

    // Some servers give paths.
    private static string NameIn(string line)
    {
        var path = line.AsSpan().TrimEnd('/');
        return path[(path.LastIndexOf('/') + 1)..].ToString();
    }

    private static TransferException TooMany(string directory) =>
        new(TransferError.Partial, $"The names of {directory} take more memory than MaxListingBytes (--max-listing) allows.")
        {
            RemotePath = directory,
        };
}
