using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// Creates and removes many paths in few writes. Reply 550 gives no reason, so failed paths are looked up once more, together.
/// </summary>
/// <remarks>
/// Some servers answer 250 to a deletion and delete nothing, or 257 to MKD and create nothing. So at servers that are not known by name the
/// paths of deletions are looked at until one is seen to be gone, and those of MKD until one is seen.
/// </remarks>
internal sealed class FtpDirectories
{
    private readonly FtpSessionContext _context;
    private readonly FtpLookUp _lookUp;

    public FtpDirectories(FtpSessionContext context, FtpLookUp lookUp)
    {
        _context = context;
        _lookUp = lookUp;
    }

    public async ValueTask<IReadOnlyList<DirectoryOutcome>> CreateAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        await ForSendableAsync(paths, CreateSendableAsync, error => new DirectoryOutcome { Error = error }, ct).ConfigureAwait(false);

    public async ValueTask<IReadOnlyList<TransferException?>> DeleteAsync(string verb, IReadOnlyList<string> paths, CancellationToken ct) =>
        await ForSendableAsync(paths, (sendable, token) => DeleteSendableAsync(verb, sendable, token), error => error,
            ct).ConfigureAwait(false);

    /// <summary>Removes empty folders, in order.</summary>
    public async ValueTask<IReadOnlyList<TransferException?>> RemoveAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        if (!_context.Profile.HasPrefixesForFolders) return await DeleteAsync("RMD", paths, ct).ConfigureAwait(false);
        var errors = new TransferException?[paths.Count];
        for (var i = 0; i < errors.Length; i++)
        {
            errors[i] = await _lookUp.HasEntriesAsync(paths[i], ct).ConfigureAwait(false)
                ? NotEmpty(paths[i]) : (await DeleteAsync("RMD", [paths[i]], ct).ConfigureAwait(false))[0];
        }
        return errors;
    }

    private static TransferException NotEmpty(string path) =>
        new(TransferError.Denied, $"{path} is not empty, and RMD would delete all that is in it.") { RemotePath = path };

    /// <summary>Runs a request for the paths that can be sent, and returns an error for each of the rest.</summary>
    private async ValueTask<IReadOnlyList<T>> ForSendableAsync<T>(
        IReadOnlyList<string> paths, Func<IReadOnlyList<string>, CancellationToken, ValueTask<T[]>> request,
        Func<TransferException, T> refuse, CancellationToken ct)
    {
        await _context.Spaces.ProveAsync(paths, ct).ConfigureAwait(false);
        var reasons = paths.Select(_context.WhyUnsendable).ToArray();
        if (reasons.All(reason => reason is null)) return await request(paths, ct).ConfigureAwait(false);
        var results = await request([.. paths.Where((_, i) => reasons[i] is null)], ct).ConfigureAwait(false);
        var next = 0;
        return [.. reasons.Select(reason => reason is null ? results[next++] : refuse(reason))];
    }

    private async ValueTask<DirectoryOutcome[]> CreateSendableAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        var commands = paths.Select(path => new FtpCommand("MKD", _context.Expand(path))).ToArray();
        var replies = await _context.ExecuteAllAsync(commands, ct).ConfigureAwait(false);
        var refused = Enumerable.Range(0, paths.Count).Where(i => !replies[i].IsDone).ToArray();
        var present = await EnterAllAsync(refused.Select(i => paths[i]), ct).ConfigureAwait(false);

        var outcomes = new DirectoryOutcome[paths.Count];
        Array.Fill(outcomes, new DirectoryOutcome { Created = true });
        foreach (var index in refused) outcomes[index] = default;
        // In stores of objects a directory need not be seen before a file is in it.
        if (_context.Profile is { Flavor: FtpFlavor.Unknown, HasPrefixesForFolders: false })
        {
            await _context.Host.Changes.CheckDirectoriesAsync(paths, outcomes, LookAtCreatedAsync,
                i => WithoutEffect(commands[i], replies[i], paths[i], "does not exist"), ct).ConfigureAwait(false);
        }
        var absent = refused.Where((_, i) => !present[i].IsSuccess || _context.Profile.HasPrefixesForFolders).ToArray();
        if (absent.Length == 0) return outcomes;
        // The folders above leave in the same flight: a refusal is sent for one that is missing, too.
        string[] above = [.. absent.Select(i => RemotePath.GetParent(paths[i])).OfType<string>().Where(path => path.Length > 1).Distinct()];
        var looks = await _lookUp.GetAllAsync([.. absent.Select(i => paths[i]), .. above], ct).ConfigureAwait(false);
        var missing = above.Where((_, i) => looks[absent.Length + i].IsAbsent).ToHashSet();
        for (var i = 0; i < absent.Length; i++)
        {
            if (looks[i].Entry is { Type: RemoteEntryType.Directory }) continue;
            var (index, error) = (absent[i], ReplyErrors.ToException(replies[absent[i]], commands[absent[i]], paths[absent[i]], true));
            if (looks[i].Entry is { Type: RemoteEntryType.File }) error = InTheWay(error);
            else if (RemotePath.GetParent(paths[index]) is { } folder && missing.Contains(folder))
                error = FtpLookUp.BelowAbsent(error, folder);
            outcomes[index] = new DirectoryOutcome { Error = error };
        }
        return outcomes;
    }

    private ValueTask<IReadOnlyList<FtpReply>> EnterAllAsync(IEnumerable<string> paths, CancellationToken ct) =>
        _context.ExecuteAllAsync([.. paths.Select(path => new FtpCommand("CWD", _context.Expand(path)))], ct);

    // MLST may hide from this user what CWD enters.
    private async ValueTask<IReadOnlyList<EntryOutcome>> LookAtCreatedAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        var entered = await EnterAllAsync(paths, ct).ConfigureAwait(false);
        var looks = entered.All(reply => reply.IsSuccess) ? [] : await _lookUp.GetAllAsync(paths, ct).ConfigureAwait(false);
        return [.. paths.Select((path, i) => !entered[i].IsSuccess ? looks[i]
            : new() { Entry = new RemoteEntry { Path = path, Type = RemoteEntryType.Directory } })];
    }

    private static TransferException InTheWay(TransferException refusal) =>
        new(TransferError.Exists, $"{refusal.RemotePath} exists, and is no folder ({refusal.Message.TrimEnd('.')}).", refusal)
        {
            RemotePath = refusal.RemotePath,
            ServerCode = refusal.ServerCode,
        };

    private async ValueTask<TransferException?[]> DeleteSendableAsync(string verb, IReadOnlyList<string> paths, CancellationToken ct)
    {
        var commands = paths.Select(path => new FtpCommand(verb, _context.Expand(path))).ToArray();
        var replies = await _context.ExecuteAllAsync(commands, ct).ConfigureAwait(false);
        var errors = new TransferException?[paths.Count];
        var refused = Enumerable.Range(0, paths.Count).Where(i => !replies[i].IsDone).ToArray();
        await ExplainAsync(paths, commands, replies, refused, errors, ct).ConfigureAwait(false);
        if (_context.Profile.Flavor == FtpFlavor.Unknown)
        {
            await _context.Host.Changes.CheckDeletionsAsync(verb == "RMD", paths, errors, _lookUp.GetAllAsync,
                i => WithoutEffect(commands[i], replies[i], paths[i], "is still there"), ct).ConfigureAwait(false);
        }
        return errors;
    }

    private async ValueTask ExplainAsync(IReadOnlyList<string> paths, FtpCommand[] commands, IReadOnlyList<FtpReply> replies, int[] refused,
        TransferException?[] errors, CancellationToken ct)
    {
        if (refused.Length == 0) return;
        var present = await _lookUp.GetAllAsync([.. refused.Select(i => paths[i])], ct).ConfigureAwait(false);
        for (var i = 0; i < refused.Length; i++)
        {
            var index = refused[i];
            errors[index] = ReplyErrors.ToException(replies[index], commands[index], paths[index], writes: !present[i].IsAbsent);
        }
    }

    private static TransferException WithoutEffect(FtpCommand command, FtpReply reply, string path, string state) =>
        new(TransferError.Unsupported, $"{command}: {reply}, but {path} {state}.") { RemotePath = path, ServerCode = reply.Code };
}
