using Transfer.Sessions;
using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>
/// Creates and removes many paths at once. FAILURE gives no reason, so refused paths are looked up afterwards, together.
/// </summary>
/// <remarks>
/// Some servers answer OK to a deletion or to MKDIR and change nothing. So at servers that are not known by name the paths of deletions are
/// looked at until one is seen to be gone, and those of MKDIR until one is seen.
/// </remarks>
internal sealed class SftpDirectories
{
    // Replies with names hold buffers until they are read.
    private const int LooksTogether = 128;

    private readonly SftpSessionContext _context;

    private readonly SftpLookUp _lookUp;

    public SftpDirectories(SftpSessionContext context, SftpLookUp lookUp) => (_context, _lookUp) = (context, lookUp);

    /// <summary>
    /// Creates directories, all MKDIRs of one level together: a server that handles requests in parallel must not get a child before its
    /// parent.
    /// </summary>
    public async ValueTask<IReadOnlyList<DirectoryOutcome>> CreateAsync(IReadOnlyList<string> paths, IReadOnlyList<UnixFileMode?>? modes,
        CancellationToken ct)
    {
        await _context.Users.ResolveUsersAsync(paths, ct).ConfigureAwait(false);
        var outcomes = new DirectoryOutcome[paths.Count];
        var levels = Enumerable.Range(0, paths.Count).GroupBy(i => Depth(paths[i])).OrderBy(level => level.Key);
        foreach (var level in levels)
        {
            int[] some = [.. level];
            var made = await SftpStream.SendAsync(some,
                i => _context.Operations.MakeDirectoryAsync(_context.Expand(paths[i]), ct, (uint?)modes?[i])).ConfigureAwait(false);
            var refused = some.Where((_, at) => !made[at].IsOk).ToArray();
            var found = await SftpStream.SendAsync(refused,
                i => _context.Operations.StatAsync(_context.Expand(paths[i]), follow: true, ct)).ConfigureAwait(false);
            for (var (at, next) = (0, 0); at < some.Length; at++)
            {
                outcomes[some[at]] = made[at].IsOk ? new DirectoryOutcome { Created = true }
                    : Refused(paths[some[at]], made[at], found[next++]);
            }
        }
        if (!_context.ConfirmsChanges)
        {
            await _context.Server.Changes.CheckDirectoriesAsync(paths, outcomes, _lookUp.GetAllAsync,
                i => WithoutEffect("MKDIR", paths[i], "does not exist"), ct).ConfigureAwait(false);
        }
        return outcomes;
    }

    public async ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        await _context.Users.ResolveUsersAsync(paths, ct).ConfigureAwait(false);
        return await DeleteAsync("REMOVE", paths, path => _context.Operations.RemoveAsync(path, ct), ct).ConfigureAwait(false);
    }

    /// <summary>Removes directories, all RMDIRs of one level together, the deepest first.</summary>
    public async ValueTask<IReadOnlyList<TransferException?>> RemoveAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        await _context.Users.ResolveUsersAsync(paths, ct).ConfigureAwait(false);
        if (_context.Server.Traits.Has(SftpTrait.PhantomFolders)) return await RemoveEmptyAsync(paths, ct).ConfigureAwait(false);
        var errors = new TransferException?[paths.Count];
        foreach (var level in Enumerable.Range(0, paths.Count).GroupBy(i => Depth(paths[i])).OrderByDescending(level => level.Key))
        {
            var members = level.ToArray();
            var some = await DeleteAsync("RMDIR", [.. members.Select(i => paths[i])],
                path => _context.Operations.RemoveDirectoryAsync(path, ct), ct).ConfigureAwait(false);
            for (var at = 0; at < members.Length; at++) errors[members[at]] = some[at];
        }
        return errors;
    }

    /// <summary>Distinguishes directories from links, by LSTAT and READLINK of each: some servers list a link as the target.</summary>
    public async ValueTask<IReadOnlyList<DirectoryProof>> ProveAsync(IReadOnlyList<RemoteEntry> entries, CancellationToken ct)
    {
        if (_context.ListsLinks) return [.. entries.Select(_ => DirectoryProof.Child)];
        await _context.Users.ResolveUsersAsync([.. entries.Select(entry => entry.Path)], ct).ConfigureAwait(false);
        var proofs = new List<DirectoryProof>(entries.Count);
        foreach (var some in entries.Select(entry => _context.Expand(entry.Path)).Chunk(LooksTogether))
        {
            var looks = SftpStream.SendAsync(some, path => _context.Operations.StatAsync(path, follow: false, ct));
            var reads = await SftpStream.SendAsync(some, path => _context.Operations.ReadLinkAsync(path, ct)).ConfigureAwait(false);
            var found = await looks.ConfigureAwait(false);
            for (var i = 0; i < some.Length; i++)
            {
                // Only returns the buffer to the pool: the reply is not needed.
                if (reads[i].IsOk) _context.ReadName(reads[i]);
                proofs.Add(reads[i].IsOk || found[i] is { IsOk: true, Attributes.Type: RemoteEntryType.Link } ? DirectoryProof.Link
                    : found[i] is { IsOk: true, Attributes.Type: RemoteEntryType.Directory }
                    ? DirectoryProof.Child : DirectoryProof.Unknown);
            }
        }
        return proofs;
    }

    // RMDIR of a prefix deletes all objects with that prefix (MinIO).
    private async ValueTask<IReadOnlyList<TransferException?>> RemoveEmptyAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        var errors = new TransferException?[paths.Count];
        foreach (var i in Enumerable.Range(0, paths.Count).OrderByDescending(i => Depth(paths[i])))
        {
            errors[i] = await _lookUp.HasEntriesAsync(paths[i], ct).ConfigureAwait(false)
                ? NotEmpty(paths[i])
                : (await DeleteAsync("RMDIR", [paths[i]], path => _context.Operations.RemoveDirectoryAsync(path, ct), ct)
                    .ConfigureAwait(false))[0];
        }
        return errors;
    }

    private static TransferException NotEmpty(string path) =>
        new(TransferError.Denied, $"{path} is not empty, and RMDIR may delete all that is in it.") { RemotePath = path };

    private async ValueTask<IReadOnlyList<TransferException?>> DeleteAsync(string request, IReadOnlyList<string> paths,
        Func<string, PendingReply> delete, CancellationToken ct)
    {
        // RMDIR of a folder with entries is a FAILURE. A lack of permission has a code of its own.
        var failure = request == "RMDIR" ? TransferError.Denied : TransferError.Unknown;
        var replies = await SftpStream.SendAsync(paths, path => delete(_context.Expand(path))).ConfigureAwait(false);
        TransferException?[] errors =
            [.. replies.Select((reply, i) => reply.IsOk ? null : SftpErrors.ToException(reply, request, paths[i], failure))];
        if (!_context.ConfirmsChanges)
        {
            await _context.Server.Changes.CheckDeletionsAsync(request == "RMDIR", paths, errors, _lookUp.GetAllAsync,
                i => WithoutEffect(request, paths[i], "is still there"), ct).ConfigureAwait(false);
        }
        return errors;
    }

    /// <summary>The error of a request that was confirmed without an effect.</summary>
    public static TransferException WithoutEffect(string request, string path, string state) =>
        new(TransferError.Unsupported, $"{request} {path}: status 0, Ok, but it {state}.")
        {
            RemotePath = path,
            ServerCode = (int)SftpStatus.Ok,
        };

    private static DirectoryOutcome Refused(string path, in SftpReply made, in SftpReply found)
    {
        if (found is { IsOk: true, Attributes.Type: RemoteEntryType.Directory }) return default;
        // Another kind of entry has the name.
        return new() { Error = found.IsOk ? InTheWay(path) : SftpErrors.ToException(made, "MKDIR", path, TransferError.Unknown) };
    }

    private static TransferException InTheWay(string path) =>
        new(TransferError.Exists, $"{path} exists, and is no folder.") { RemotePath = path };

    private static int Depth(string path) => path.AsSpan().Count('/');
}
