using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>Looks for paths in the listing of the folder above: the last means, after the commands about single paths.</summary>
/// <param name="lookUp">Finds whether a folder exists that cannot be listed.</param>
/// <param name="list">Lists a folder.</param>
internal sealed class FtpFolderLook(FtpLookUp lookUp, Func<string, ListingReport, CancellationToken, IAsyncEnumerable<RemoteEntry>> list)
{
    /// <summary>Closes the looks that the listings answer; the rest stay open, with a reason.</summary>
    public async ValueTask LookByListingAsync(IReadOnlyList<FtpLook> looks, CancellationToken ct)
    {
        foreach (var folder in looks.GroupBy(look => RemotePath.GetParent(look.Path)))
        {
            // The root and the log-in folder are in no listing.
            if (folder.Key is { } path) await LookByListingAsync(path, [.. folder], ct).ConfigureAwait(false);
        }
    }

    /// <summary>Returns whether the listing of a folder shows entries.</summary>
    public ValueTask<bool> HasEntriesAsync(string folder, CancellationToken ct) => list(folder, new ListingReport(), ct).AnyAsync(ct);

    private async ValueTask LookByListingAsync(string folder, FtpLook[] looks, CancellationToken ct, bool isSecond = false)
    {
        // Two of the paths may be the same.
        var wanted = looks.ToLookup(look => RemotePath.GetName(look.Path), StringComparer.OrdinalIgnoreCase);
        var (report, twins) = (new ListingReport(), new HashSet<FtpLook>());
        try
        {
            await foreach (var entry in list(folder, report, ct).ConfigureAwait(false))
            {
                foreach (var look in wanted[entry.Name])
                {
                    if (RemotePath.GetName(look.Path) == entry.Name) look.Found(Describe(entry, look.Path));
                    else twins.Add(look);
                }
            }
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            await WithoutListingAsync(folder, [.. looks.Where(look => look.IsOpen)], e, isSecond, ct).ConfigureAwait(false);
            return;
        }
        foreach (var look in looks.Where(look => look.IsOpen))
        {
            if (WhyUnproved(look, report, twins) is not { } why) look.IsAbsent();
            else look.Refused(new TransferException(TransferError.Denied, why) { RemotePath = look.Path });
        }
    }

    private string? WhyUnproved(FtpLook look, ListingReport report, HashSet<FtpLook> twins)
    {
        var name = RemotePath.GetName(look.Path);
        if (twins.Contains(look)) return $"its folder has another spelling of {name}, and the server may take the two for one.";
        if (report.Reason is { } reason) return $"the listing of its folder is partial: {reason}.";
        if (name.StartsWith('.') && report.MayHideDots) return "the listing of its folder may leave out names that begin with a dot.";
        // An unreadable folder may be refused so, too: only where MLST describes folders do refusals of all commands prove an empty one.
        var isNowhere = look is { IsDenied: true, IsAboutAccess: false, MlstCode: 550 } && lookUp.DescribesFolders;
        if (report.Verdict == ListingVerdict.EmptyRefused && !isNowhere)
            return "the server refuses to list its folder, as some do for an empty one.";
        // Empty folders and unreadable ones share that answer.
        return report.Verdict == ListingVerdict.EmptyUnproved && !look.IsDenied
            ? "the listing of its folder is empty, as that of an unreadable folder would be." : null;
    }

    // In an absent folder all entries are absent. Another session may have made the folder behind the refusal.
    private async ValueTask WithoutListingAsync(
        string folder, FtpLook[] looks, TransferException error, bool isSecond, CancellationToken ct)
    {
        if (looks.Length == 0) return;
        var above = (await lookUp.GetAllAsync([folder], ct).ConfigureAwait(false))[0];
        if (!isSecond && error.Error == TransferError.NotFound && above.Entry is not null)
        {
            await LookByListingAsync(folder, looks, ct, isSecond: true).ConfigureAwait(false);
            return;
        }
        foreach (var look in looks)
        {
            if (above.IsAbsent) look.IsAbsent();
            else look.Refused(error);
        }
    }

    // A listing shows the length of a link's text.
    private static RemoteEntry Describe(RemoteEntry entry, string path) =>
        entry.Type == RemoteEntryType.Link ? entry with { Path = path, Length = null } : entry with { Path = path };
}
