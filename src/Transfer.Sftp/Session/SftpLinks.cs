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
    private readonly SftpLookUp _lookUp;

    public SftpLinks(SftpSessionContext context, SftpRenamer renamer, SftpLookUp lookUp)
    {
        _context = context;
        _renamer = renamer;
        _lookUp = lookUp;
    }

    public async ValueTask<IReadOnlyList<TransferException?>> CreateAsync(IReadOnlyList<SymbolicLink> links, CancellationToken ct)
    {
        await _context.Users.ResolveUsersAsync(links.Select(link => link.Path), ct).ConfigureAwait(false);
        var errors = new List<TransferException?>(links.Count);
        foreach (var some in links.Chunk(Together))
        {
            var (replies, wrong, tried) = (new SftpReply[some.Length], new TransferException?[some.Length], 0);
            // One at a time until one has shown the order of the paths; a server without links refuses all of them.
            while (tried < some.Length && !IsOrderKnown && (tried == 0 || MayBeTaken(replies[tried - 1])))
            {
                (replies[tried], wrong[tried]) = await TryAsync(some[tried], _context.Expand(some[tried].Path), ct).ConfigureAwait(false);
                tried++;
            }
            var asked = Array.ConvertAll(some[tried..], link => MakeAsync(link, _context.Expand(link.Path), ct));
            foreach (var reply in asked) replies[tried++] = await reply.ConfigureAwait(false);
            var done = some.Where((_, i) => replies[i].IsOk && wrong[i] is null);
            await SetAsync([.. done.Select(link => (link, _context.Expand(link.Path)))], ct).ConfigureAwait(false);
            errors.AddRange(
                await Task.WhenAll(some.Select((link, i) => wrong[i] is not null ? Task.FromResult(wrong[i])
                    : replies[i].IsOk ? NoError : ReplaceAsync(link, replies[i], ct))).ConfigureAwait(false));
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
        if (!MayBeTaken(refused)) return error;
        var path = _context.Expand(link.Path);
        var there = await _context.Operations.StatAsync(path, follow: false, ct).ConfigureAwait(false);
        if (!there.IsOk) return error;
        if (!link.Replace || link.TemporaryPath is null || there.Attributes.Type == RemoteEntryType.Directory)
            return SftpRenamer.Exists(link.Path);

        var temporary = _context.Expand(link.TemporaryPath);
        var (made, wrong) = IsOrderKnown ? (await MakeAsync(link, temporary, ct).ConfigureAwait(false), null)
            : await TryAsync(link, temporary, ct).ConfigureAwait(false);
        if (wrong is not null) return wrong;
        if (!made.IsOk) return SftpErrors.ToException(made, "SYMLINK", link.Path);
        await SetAsync([(link, temporary)], ct).ConfigureAwait(false);
        return await _renamer.RunAsync(new Renaming(link.TemporaryPath, link.Path) { IsTemporary = true, Replace = true },
            ct).ConfigureAwait(false);
    }

    private bool IsOrderKnown => _context.ConfirmsChanges || _context.Server.Traits.IsSettled(SftpTrait.LinkPathFirst);

    private PendingReply MakeAsync(SymbolicLink link, string path, CancellationToken ct) =>
        _context.Operations.SymLinkAsync(path, link.Target, _context.Server.Traits.Has(SftpTrait.LinkPathFirst), ct);

    // OpenSSH has the text first, the draft (section 6.10) the link's path. The wrong order makes a link with the text as its name, below
    // the log-in folder where the text is relative, that leads to the path. Only a link that is proved to be this one is removed.
    private async ValueTask<(SftpReply Reply, TransferException? Wrong)> TryAsync(SymbolicLink link, string path, CancellationToken ct)
    {
        var (operations, traits) = (_context.Operations, _context.Server.Traits);
        var isPathFirst = traits.Has(SftpTrait.LinkPathFirst);
        var looks = (Path: operations.StatAsync(path, follow: false, ct), Stray: operations.StatAsync(link.Target, follow: false, ct));
        var isTaken = (await looks.Path.ConfigureAwait(false)).IsOk;
        var isStrayAbsent = (await looks.Stray.ConfigureAwait(false)).Status == SftpStatus.NoSuchFile;
        var made = await MakeAsync(link, path, ct).ConfigureAwait(false);
        if (!made.IsOk) return (made, null);
        if (!isTaken && (await operations.StatAsync(path, follow: false, ct).ConfigureAwait(false)).IsOk)
        {
            traits.Settle(SftpTrait.LinkPathFirst, isPathFirst);
            return (made, null);
        }
        var stray = await operations.ReadLinkAsync(link.Target, ct).ConfigureAwait(false);
        if (!stray.IsOk || _context.ReadName(stray) != path)
        {
            var isThere = isTaken || await _lookUp.GetAsync(link.Path, ct).ConfigureAwait(false) is not null;
            return (made, isThere ? null : SftpDirectories.WithoutEffect("SYMLINK", link.Path, "does not exist"));
        }
        if (!isStrayAbsent || !(await operations.RemoveAsync(link.Target, ct).ConfigureAwait(false)).IsOk)
            return (made, SftpDirectories.WithoutEffect("SYMLINK", link.Path, $"is named {link.Target}, and leads to {path}"));
        traits.Settle(SftpTrait.LinkPathFirst, !isPathFirst);
        Log.LinkOrderFound(_context.Logger, isPathFirst ? "text" : "path");
        return (await MakeAsync(link, path, ct).ConfigureAwait(false), null);
    }

    private static bool MayBeTaken(in SftpReply refused) => refused.Status is SftpStatus.Failure or SftpStatus.FileAlreadyExists;

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
