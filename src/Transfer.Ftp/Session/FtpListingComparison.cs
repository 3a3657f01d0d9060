using Transfer.Ftp.Ladders;
using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// Compares LIST with LIST -a, once a host: servers that run or imitate ls hide names with a leading dot without it, others take
/// <c>-a</c> for a path.
/// </summary>
/// <param name="context">The session, in the directory.</param>
/// <param name="opener">Opens data connections.</param>
internal sealed class FtpListingComparison(FtpSessionContext context, FtpDataOpener opener)
{
    private const string All = "-a";

    /// <summary>Lists by LIST -a, and settles which way the host is listed from now on.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="names">The names that LIST has shown.</param>
    /// <param name="ct">Cancels.</param>
    /// <returns>The entries that LIST has not shown.</returns>
    public async ValueTask<IReadOnlyList<RemoteEntry>> FindHiddenAsync(string directory, IReadOnlySet<string> names, CancellationToken ct)
    {
        // Where there is an entry of this name, its content might be listed. An empty directory shows no difference.
        if (names.Count == 0 || names.Contains(All)) return [];
        var (shown, hidden) = (0, new Dictionary<string, RemoteEntry>(StringComparer.Ordinal));
        var kept = new KeptNames(context.Options.MaxListingBytes);
        var listing = new FtpListing(context, opener, directory, new ListingReport());
        try
        {
            await foreach (var entry in listing.ReadAsync(new FtpCommand("LIST", All), ct).ConfigureAwait(false))
            {
                if (names.Contains(entry.Name)) shown++;
                else if (hidden.TryAdd(entry.Name, entry) && kept.Add(entry.Name) is null) break;
            }
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            Settle(FtpListAll.Plain, e.Message);
            return [];
        }
        if (shown < names.Count) Settle(FtpListAll.Plain, $"LIST -a shows {shown} of the {names.Count} names of LIST");
        else Settle(FtpListAll.All, "LIST -a shows all names of LIST");
        return [.. hidden.Values];
    }

    private void Settle(FtpListAll way, string reason)
    {
        for (var rung = FtpListAll.Compared; rung < way; rung++) context.Ladders.ListAll.Leave(rung, reason);
        context.Ladders.Confirm();
    }
}
