using Transfer.Replacing;
using Transfer.Sessions;
using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>Makes, reads and follows symbolic links, many together.</summary>
internal sealed class SftpLinks
{
    // The most requests under way.
    private const int Together = 100;

    private static readonly Task<TransferException?> NoError = Task.FromResult<TransferException?>(null);

    private readonly SftpSessionContext _context;
    private readonly SftpRenamer _renamer;

    public SftpLinks(SftpSessionContext context, SftpRenamer renamer)
    {
        _context = context;
        _renamer = renamer;
    }

    public async ValueTask<IReadOnlyList<TransferException?>> CreateAsync(IReadOnlyList<SymbolicLink> links, CancellationToken ct)
    {
        await _context.Users.ResolveUsersAsync(links.Select(link => link.Path), ct).ConfigureAwait(false);
        var errors = new List<TransferException?>(links.Count);
        foreach (var some in links.Chunk(Together))
        {
            var asked = Array.ConvertAll(some, link => _context.Operations.SymLinkAsync(_context.Expand(link.Path), link.Target, ct));
            var replies = new SftpReply[some.Length];
            for (var i = 0; i < replies.Length; i++) replies[i] = await asked[i].ConfigureAwait(false);
            await SetAsync([.. some.Where((_, i) => replies[i].IsOk).Select(link => (link, _context.Expand(link.Path)))],
                ct).ConfigureAwait(false);
            errors.AddRange(
                await Task.WhenAll(some.Select((link, i) => replies[i].IsOk ? NoError : ReplaceAsync(link, replies[i], ct))).ConfigureAwait(
                    false));
        }
        return errors;
    }

    public async ValueTask<IReadOnlyList<LinkOutcome>> ReadAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        await _context.Users.ResolveUsersAsync(paths, ct).ConfigureAwait(false);
        var outcomes = new List<LinkOutcome>(paths.Count);
        foreach (var some in paths.Chunk(Together))
        {
            var asked = Array.ConvertAll(some, path => _context.Operations.ReadLinkAsync(_context.Expand(path), ct));
            for (var i = 0; i < some.Length; i++)
            {
                var reply = await asked[i].ConfigureAwait(false);
                outcomes.Add(reply.IsOk
                    ? new()
                    {
                        Entry = new RemoteEntry
                        {
                            Path = some[i],
                            Type = RemoteEntryType.Link,
                            LinkTarget = _context.ReadName(reply)
                        }
                    }
                    : new() { Error = SftpErrors.ToException(reply, "READLINK", some[i]) });
            }
        }
        return outcomes;
    }

    public async ValueTask<IReadOnlyList<LinkOutcome>> FollowAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        await _context.Users.ResolveUsersAsync(paths, ct).ConfigureAwait(false);
        var outcomes = new List<LinkOutcome>(paths.Count);
        foreach (var some in paths.Chunk(Together))
        {
            var asked = Array.ConvertAll(some, path =>
            {
                var full = _context.Expand(path);
                return (Stat: _context.Operations.StatAsync(full, follow: true, ct), Real: _context.Operations.RealPathAsync(full, ct));
            });
            for (var i = 0; i < some.Length; i++)
            {
                var stat = await asked[i].Stat.ConfigureAwait(false);
                var real = await asked[i].Real.ConfigureAwait(false);
                outcomes.Add(End(some[i], stat, real, real.IsOk ? _context.ReadName(real) : null));
            }
        }
        return outcomes;
    }

    // Handles a refused SYMLINK: the name is taken, or there is another reason.
    private async Task<TransferException?> ReplaceAsync(SymbolicLink link, SftpReply refused, CancellationToken ct)
    {
        var error = SftpErrors.ToException(refused, "SYMLINK", link.Path);
        if (refused.Status is not (SftpStatus.Failure or SftpStatus.FileAlreadyExists)) return error;
        var path = _context.Expand(link.Path);
        var there = await _context.Operations.StatAsync(path, follow: false, ct).ConfigureAwait(false);
        if (!there.IsOk) return error;
        if (!link.Replace || link.TemporaryPath is null || there.Attributes.Type == RemoteEntryType.Directory)
            return SftpRenamer.Exists(link.Path);

        var temporary = _context.Expand(link.TemporaryPath);
        var made = await _context.Operations.SymLinkAsync(temporary, link.Target, ct).ConfigureAwait(false);
        if (!made.IsOk) return SftpErrors.ToException(made, "SYMLINK", link.Path);
        await SetAsync([(link, temporary)], ct).ConfigureAwait(false);
        return await _renamer.RunAsync(new Renaming(link.TemporaryPath, link.Path) { IsTemporary = true, Replace = true },
            ct).ConfigureAwait(false);
    }

    // SETSTAT would follow the link and change the target.
    private async ValueTask SetAsync((SymbolicLink Link, string Path)[] made, CancellationToken ct)
    {
        if (!_context.Offers(SftpExtension.LSetStat) || _context.Server.Traits.Has(SftpTrait.NoAttributes)) return;
        var asked = new List<(PendingReply Reply, string Path)>();
        foreach (var (link, path) in made)
        {
            var attributes = SftpTimes.ToAttributes(link.Metadata);
            if (!SftpTimes.IsEmpty(attributes)) asked.Add((_context.Operations.LSetStatAsync(path, attributes, ct), link.Path));
        }
        foreach (var (pending, path) in asked)
        {
            var reply = await pending.ConfigureAwait(false);
            if (!reply.IsOk) Log.AttributesNotSet(_context.Logger, path, (uint)reply.Status);
        }
    }

    private static LinkOutcome End(string path, in SftpReply stat, in SftpReply real, string? name)
    {
        // An entry that is neither file nor directory nor denied is a circle of links: version 3 has no code for one.
        if (stat.Status is SftpStatus.Failure || SftpErrors.Map(stat.Status, TransferError.Denied) == TransferError.NotFound)
            return default;
        if (!stat.IsOk) return new() { Error = SftpErrors.ToException(stat, "STAT", path) };
        if (name is not null) return new() { Entry = SftpEntries.ToEntry(name, stat.Attributes, stat.Attributes.Type) };
        var error = real.IsOk
            ? new TransferException(TransferError.Protocol, $"REALPATH {path}: the server sent no name.") { RemotePath = path }
            : SftpErrors.ToException(real, "REALPATH", path);
        return new() { Error = error };
    }
}
