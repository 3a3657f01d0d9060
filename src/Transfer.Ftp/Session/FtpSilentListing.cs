using Transfer.Ftp.Listing;
using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// Proves an MLSD that shows nothing, not even the directory itself: some servers answer so for a path that they cannot read, such as one
/// with a space. LIST in that directory decides.
/// </summary>
/// <param name="context">The session.</param>
/// <param name="opener">Opens data connections.</param>
internal sealed class FtpSilentListing(FtpSessionContext context, FtpDataOpener opener)
{
    /// <summary>Lists the directory by LIST.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="list">LIST, without a path.</param>
    /// <param name="report">Collects the doubts where the directory is not proved to be empty.</param>
    /// <param name="ct">Cancels.</param>
    /// <returns>Whether the directory has entries.</returns>
    /// <exception cref="TransferException">The directory does not exist, or may not be entered or read.</exception>
    public async ValueTask<bool> HasEntriesAsync(string directory, FtpCommand list, ListingReport report, CancellationToken ct)
    {
        var (own, count) = (new ListingReport(), 0L);
        var listing = new FtpListing(context, opener, directory, own);
        var isEntered = false;
        try
        {
            await context.ChangeDirectoryAsync(directory, ct).ConfigureAwait(false);
            isEntered = true;
            await foreach (var _ in listing.ReadAsync(list, ct).ConfigureAwait(false)) count++;
        }
        catch (TransferException e) when (e is not TransferConnectionException && context.Usable && SaysNothing(e, directory, isEntered))
        {
            if (e.ServerCode is null) report.AddGap(e.Message.TrimEnd('.'));
            else report.DoubtEmptiness();
            return false;
        }
        if (count > 0) return true;
        if (listing.MayHideDots) report.DoubtDots();
        if (own.Reason is { } reason) report.AddGap(reason);
        if (own.Verdict == ListingVerdict.EmptyUnproved && !await IsReadableAsync(ct).ConfigureAwait(false)) report.DoubtEmptiness();
        return false;
    }

    // The server lacks the command, or has nothing to list; without a code, there are lines that no format fits.
    private bool SaysNothing(TransferException error, string directory, bool isEntered) => error.ServerCode switch
    {
        500 or 502 or 504 => true,
        null or 450 or 501 or 503 or 550 => isEntered && !ListingReply.IsAboutAccess(error.Message, context.Expand(directory)),
        _ => false,
    };

    // RFC 3659 section 7.5.5: "l" is the permission to list the directory, "e" to enter it. An unreadable one is refused, or lacks one.
    private async ValueTask<bool> IsReadableAsync(CancellationToken ct)
    {
        if (!context.TakesMlst) return false;
        var replies = await FtpLookUp.AskAsync(context, [new FtpCommand("MLST")], ct).ConfigureAwait(false);
        return replies[0].IsSuccess && replies[0].Lines.Skip(1).Any(
            line => line.AsSpan().TrimStart(' ') is var facts && MlsxParser.MayBeListed(facts) && !MlsxParser.IsClosed(facts));
    }
}
