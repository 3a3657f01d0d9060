using Transfer.Companions;
using Transfer.Sessions;
using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>
/// Looks up single paths. A path exists, is proved absent, or is unknown: for an absent path some servers answer FAILURE or a lack of
/// permission. The listing of the parent folder then decides.
/// </summary>
internal sealed class SftpLookUp
{
    private readonly SftpSessionContext _context;
    private readonly SftpLister _lister;

    public SftpLookUp(SftpSessionContext context, SftpLister lister)
    {
        _context = context;
        _lister = lister;
    }

    /// <summary>
    /// Describes a path; null: the path is proved absent. A link is described as a link, with the length and times of its target.
    /// </summary>
    /// <exception cref="TransferException">Neither could be determined.</exception>
    public async ValueTask<RemoteEntry?> GetAsync(string path, CancellationToken ct)
    {
        await _context.Users.ResolveUsersAsync(path, ct).ConfigureAwait(false);
        return await DescribeAsync(path, _context.Operations.StatAsync(_context.Expand(path), follow: false, ct), ct).ConfigureAwait(false);
    }

    /// <summary>Describes several paths, all in flight together; one outcome a path, in order.</summary>
    public async ValueTask<IReadOnlyList<EntryOutcome>> GetAllAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        await _context.Users.ResolveUsersAsync(paths, ct).ConfigureAwait(false);
        var outcomes = new List<EntryOutcome>(paths.Count);
        foreach (var some in paths.Chunk(SftpSessionContext.MaxRequestsTogether))
        {
            Task<EntryOutcome>[] looks = [
                .. some.Select(
                    path => TryDescribeAsync(path, _context.Operations.StatAsync(_context.Expand(path), follow: false, ct), ct))];
            outcomes.AddRange(await Task.WhenAll(looks).ConfigureAwait(false));
        }
        return outcomes;
    }

    /// <summary>Returns whether the listing of a folder shows entries.</summary>
    public ValueTask<bool> HasEntriesAsync(string folder, CancellationToken ct) =>
        _lister.ListAsync(folder, new ListingReport(), ct).AnyAsync(ct);

    private async Task<EntryOutcome> TryDescribeAsync(string path, PendingReply look, CancellationToken ct)
    {
        try
        {
            return new() { Entry = await DescribeAsync(path, look, ct).ConfigureAwait(false) };
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            return new() { Error = e };
        }
    }

    private async ValueTask<RemoteEntry?> DescribeAsync(string path, PendingReply look, CancellationToken ct)
    {
        var reply = await look.ConfigureAwait(false);
        if (SftpErrors.Map(reply.Status, TransferError.Denied) == TransferError.NotFound) return null;
        if (reply is { IsOk: true, Attributes.Type: RemoteEntryType.Directory } && await IsPhantomAsync(path, reply.Attributes, ct)
            .ConfigureAwait(false))
        {
            return null;
        }
        var entry = reply.IsOk
            ? SftpEntries.ToEntry(path, reply.Attributes,
                reply.Attributes.Type ?? await _lister.FindTypeAsync(_context.Expand(path), ct).ConfigureAwait(false))
            : await FindAsync(path, SftpErrors.ToException(reply, "LSTAT", path), ct).ConfigureAwait(false);
        return entry is { Type: RemoteEntryType.Link } ? await FollowAsync(entry, _context.Expand(path), ct).ConfigureAwait(false) : entry;
    }

    // A folder without a time may be a mere prefix, which a store of objects shows for every name. A name of chance tells, once a host. An
    // empty folder is no folder there.
    private async ValueTask<bool> IsPhantomAsync(string path, SftpAttributes attributes, CancellationToken ct)
    {
        if (SftpTimes.HasTime(attributes) || RemotePath.GetParent(path) is not { } folder) return false;
        var traits = _context.Server.Traits;
        if (!traits.IsSettled(SftpTrait.PhantomFolders))
        {
            var chance = RemotePath.Combine(folder, new TemporaryNames().Next());
            var look = await _context.Operations.StatAsync(_context.Expand(chance), follow: false, ct).ConfigureAwait(false);
            traits.Settle(SftpTrait.PhantomFolders, look is { IsOk: true, Attributes.Type: RemoteEntryType.Directory });
        }
        if (!traits.Has(SftpTrait.PhantomFolders)) return false;
        var report = new ListingReport();
        await foreach (var _ in _lister.ListAsync(path, report, ct).ConfigureAwait(false)) return false;
        return report.Verdict == ListingVerdict.Complete;
    }

    private async ValueTask<RemoteEntry?> FindAsync(string path, TransferException refused, CancellationToken ct)
    {
        if (RemotePath.GetParent(path) is not { } folder) throw refused;
        var name = RemotePath.GetName(path);
        RemoteEntry? found = null;
        var hasTwin = false;
        var report = new ListingReport();
        try
        {
            await foreach (var entry in _lister.ListAsync(folder, report, ct).ConfigureAwait(false))
            {
                if (entry.Name == name) found = entry with { Path = path };
                else hasTwin |= entry.Name.Equals(name, StringComparison.OrdinalIgnoreCase);
            }
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            // An absent folder has no entries.
            if (found is null && await GetAsync(folder, ct).ConfigureAwait(false) is not null) throw refused;
        }
        // A server may treat two spellings as one name, and a partial listing proves no absence.
        return found is null && (hasTwin || report.Verdict != ListingVerdict.Complete) ? throw refused : found;
    }

    private async ValueTask<RemoteEntry> FollowAsync(RemoteEntry link, string full, CancellationToken ct)
    {
        var asked = _context.Operations.StatAsync(full, follow: true, ct);
        var leads = await _context.Operations.ReadLinkAsync(full, ct).ConfigureAwait(false);
        var target = await asked.ConfigureAwait(false);
        // A link without a target, or in a circle, still exists.
        var found = target.IsOk ? SftpEntries.ToEntry(link.Path, target.Attributes, target.Attributes.Type) : null;
        return link with
        {
            Length = found?.Length,
            Modified = found?.Modified ?? link.Modified,
            LinkTarget = leads.IsOk ? _context.ReadName(leads) : null,
        };
    }
}
