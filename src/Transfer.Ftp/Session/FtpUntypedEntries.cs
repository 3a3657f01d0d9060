using System.Globalization;
using System.Runtime.CompilerServices;
using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// Entries of which MLSD gives no type, as some servers do for what is neither a file nor a directory: LIST has one for each.
/// </summary>
/// <param name="context">The session.</param>
/// <param name="opener">Opens data connections.</param>
internal sealed class FtpUntypedEntries(FtpSessionContext context, FtpDataOpener opener)
{
    /// <summary>Finds such entries by LIST.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="names">The names in the lines without a type.</param>
    /// <param name="list">LIST, without a path.</param>
    /// <param name="report">Collects the gap where not all are found.</param>
    /// <param name="ct">Cancels.</param>
    public async IAsyncEnumerable<RemoteEntry> FindAsync(string directory, IReadOnlySet<string> names, FtpCommand list,
        ListingReport report, [EnumeratorCancellation] CancellationToken ct)
    {
        var missing = names.ToHashSet(StringComparer.Ordinal);
        var entries = ListAsync(directory, list, ct).GetAsyncEnumerator(ct);
        await using var ended = entries.ConfigureAwait(false);
        while (await TryMoveAsync(entries).ConfigureAwait(false))
        {
            if (missing.Remove(entries.Current.Name)) yield return entries.Current;
        }
        if (missing.Count > 0) AddGap(report, missing.Count);
    }

    /// <summary>Adds entries that stay without a type to a report.</summary>
    public static void AddGap(ListingReport report, int count) =>
        report.AddGap(string.Create(CultureInfo.InvariantCulture, $"{count} of its entries {(count == 1 ? "has" : "have")} no type"));

    private async IAsyncEnumerable<RemoteEntry> ListAsync(
        string directory, FtpCommand list, [EnumeratorCancellation] CancellationToken ct)
    {
        await context.ChangeDirectoryAsync(directory, ct).ConfigureAwait(false);
        var listing = new FtpListing(context, opener, directory, new ListingReport());
        await foreach (var entry in listing.ReadAsync(list, ct).ConfigureAwait(false)) yield return entry;
    }

    // A refusal is a gap of the listing, as MLSD has shown the rest.
    private async ValueTask<bool> TryMoveAsync(IAsyncEnumerator<RemoteEntry> entries)
    {
        try
        {
            return await entries.MoveNextAsync().ConfigureAwait(false);
        }
        catch (TransferException e) when (e is not TransferConnectionException && context.Usable)
        {
            return false;
        }
    }
}
