using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// The end of a listing's data. An end without close_notify, or by a reset, is one where the server confirms the listing by its reply; but
/// lines may be missing, so the listing is partial unless the options trust such ends.
/// </summary>
internal static class FtpListingEnd
{
    /// <summary>Takes the final reply, and reports an end in doubt.</summary>
    /// <param name="context">The session.</param>
    /// <param name="exchange">The transfer of the listing, read to its end.</param>
    /// <param name="hasLines">Whether a line has come: without one, a reset connection says nothing.</param>
    /// <param name="report">Collects the gaps of the listing.</param>
    /// <param name="ct">Cancels.</param>
    public static async ValueTask<FtpReply> TakeAsync(
        FtpSessionContext context, FtpExchange exchange, bool hasLines, ListingReport report, CancellationToken ct)
    {
        var doubt = exchange.IsUnused ? null : exchange.Data.EndDoubt;
        var reply = await exchange.GetFinalReplyAsync(ct).ConfigureAwait(false);
        if (doubt is null || !reply.IsDone) return reply;
        if (doubt.Error == TransferError.Lost && !hasLines) throw doubt;
        if (!context.Options.Compatibility.TrustsUnconfirmedEnds)
        {
            report.AddGap($"the end of its data is in doubt ({doubt.Message.TrimEnd('.')}; where the server always ends so, "
                + "--trust-data-end (FtpCompatibility.TrustsUnconfirmedEnds) trusts its reply)");
        }
        return reply;
    }
}
