using Transfer.Ftp.Ladders;
using Transfer.Ftp.Listing;
using Transfer.Ftp.Protocol;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// Looks up single paths. 550 has many meanings: only after its command has described an entry of this host does 550 prove absence; at
/// servers that are not known by name a file and a folder, since some describe one kind alone. A path left open by one means goes to the
/// next: MLST (RFC 3659 section 7), then SIZE, MDTM and CWD together, then the listing of the
/// folder above.
/// </summary>
internal sealed class FtpLookUp
{
    private const int PartCount = 3;

    private readonly FtpSessionContext _context;
    private readonly FtpFolderLook _folders;

    /// <param name="context">The session.</param>
    /// <param name="list">Lists a folder.</param>
    public FtpLookUp(FtpSessionContext context, Func<string, ListingReport, CancellationToken, IAsyncEnumerable<RemoteEntry>> list)
    {
        _context = context;
        _folders = new FtpFolderLook(this, list);
    }

    private FtpHostState Host => _context.Host;

    private bool TakesMlst => _context.TakesMlst;

    /// <summary>Describes one path; null: proved absent.</summary>
    /// <exception cref="TransferException">Neither existence nor absence could be proved.</exception>
    public async ValueTask<RemoteEntry?> GetAsync(string path, CancellationToken ct)
    {
        var outcome = (await GetAllAsync([path], ct).ConfigureAwait(false))[0];
        return outcome.Error is { } error ? throw error : outcome.Entry;
    }

    /// <summary>Describes several paths, in few writes; one outcome a path, in order.</summary>
    public async ValueTask<IReadOnlyList<EntryOutcome>> GetAllAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        var looks = paths.Select(path => new FtpLook(path)).ToArray();
        var sendable = await SendableAsync(looks, ct).ConfigureAwait(false);
        if (TakesMlst && sendable.Length > 0) await LookByMlstAsync(sendable, ct).ConfigureAwait(false);
        FtpLook[] open = [.. sendable.Where(look => look.IsOpen)];
        if (open.Length > 0) await LookByPartsAsync(open, ct).ConfigureAwait(false);
        if (looks.Any(look => look.IsOpen))
            await _folders.LookByListingAsync([.. looks.Where(look => look.IsOpen)], ct).ConfigureAwait(false);
        if (MissedByMlst(looks) is { } missed)
        {
            _context.Ladders.Describe.Leave(FtpDescription.Mlst, $"MLST was answered with {missed.MlstCode} for an entry that exists");
            _context.Ladders.Confirm();
        }
        return [.. looks.Select(look => look.Outcome)];
    }

    /// <summary>
    /// Returns the error of a file that could not be read, where a look tells more than the code: absence, or a file that may not be read.
    /// 550 is sent for both, and some servers have one code for all errors of their file systems (ftp-srv: 551).
    /// </summary>
    public async ValueTask<TransferException> ExplainAsync(TransferException refusal, string path, CancellationToken ct)
    {
        if (refusal.ServerCode is not (450 or 451 or 550 or 551 or 553 or 554)) return refusal;
        var outcome = (await GetAllAsync([path], ct).ConfigureAwait(false))[0];
        (TransferError Error, string Fact)? found = outcome switch
        {
            { IsAbsent: true } => (TransferError.NotFound, "does not exist"),
            { Entry: not null } when refusal.ServerCode == 550 => (TransferError.Denied, "exists, and may not be read"),
            _ => null,
        };
        return found is { } fact ? Explained(refusal, path, fact.Error, fact.Fact) : refusal;
    }

    /// <summary>
    /// Returns the error of a folder that was not entered, where a look tells more than 550: a folder that may not be entered, or a file.
    /// A link may lead to nothing.
    /// </summary>
    public async ValueTask<TransferException> ExplainFolderAsync(TransferException refusal, string path, CancellationToken ct)
    {
        (TransferError Error, string Fact)? found = (await GetAllAsync([path], ct).ConfigureAwait(false))[0].Entry?.Type switch
        {
            RemoteEntryType.Directory => (TransferError.Denied, "exists, and may not be entered"),
            RemoteEntryType.File => (refusal.Error, "is a file, and no folder"),
            _ => null,
        };
        return found is { } fact ? Explained(refusal, path, fact.Error, fact.Fact) : refusal;
    }

    /// <summary>
    /// Returns the error of a file that could not be written, where a look tells more than the code: the folder does not exist. Servers
    /// send 550 and 553 for that as for permissions that are missing.
    /// </summary>
    public async ValueTask<TransferException> ExplainWriteAsync(TransferException refusal, string path, CancellationToken ct)
    {
        if (!IsDenied(refusal)) return refusal;
        return await ExplainByFolderAsync(refusal, path, ct).ConfigureAwait(false);
    }

    /// <summary>
    /// Returns the error of a file or folder that was not renamed, where a look tells more than the code. Pure-FTPd sends 451 for each
    /// error of rename(2), lasting ones too.
    /// </summary>
    public async ValueTask<TransferException> ExplainMoveAsync(TransferException refusal, string from, string to, CancellationToken ct)
    {
        if (refusal.ServerCode != 451) return await ExplainWriteAsync(refusal, to, ct).ConfigureAwait(false);
        if (to.StartsWith(from + "/", StringComparison.Ordinal)) return Explained(refusal, to, TransferError.Denied, $"is below {from}");
        return await ExplainByFolderAsync(refusal, to, ct).ConfigureAwait(false);
    }

    private async ValueTask<TransferException> ExplainByFolderAsync(TransferException refusal, string path, CancellationToken ct) =>
        RemotePath.GetParent(path) is { Length: > 1 } folder && (await GetAllAsync([folder], ct).ConfigureAwait(false))[0].IsAbsent
        ? Absent(refusal, folder) : refusal;

    /// <summary>Returns the error of a file or folder that was not made in a folder that a look has proved absent.</summary>
    public static TransferException BelowAbsent(TransferException refusal, string folder) =>
        IsDenied(refusal) ? Absent(refusal, folder) : refusal;

    private static TransferException Absent(TransferException refusal, string folder) =>
        Explained(refusal, folder, TransferError.NotFound, "does not exist");

    private static bool IsDenied(TransferException refusal) => refusal is { Error: TransferError.Denied, ServerCode: 550 or 553 };

    /// <summary>Whether a look has shown a file or folder that the refusal before had called absent.</summary>
    public static bool IsContradicted(TransferException explained) =>
        explained is { Error: TransferError.Denied, InnerException: TransferException { Error: TransferError.NotFound } };

    private static TransferException Explained(TransferException refusal, string path, TransferError error, string fact) =>
        new(error, $"{path} {fact} ({refusal.Message.TrimEnd('.')}).", refusal)
        {
            RemotePath = refusal.RemotePath ?? path,
            ServerCode = refusal.ServerCode,
            NeedsDirectPublish = refusal.NeedsDirectPublish && error != TransferError.NotFound,
        };

    /// <summary>Returns whether a folder has entries, by its listing.</summary>
    public ValueTask<bool> HasEntriesAsync(string folder, CancellationToken ct) => _folders.HasEntriesAsync(folder, ct);

    /// <summary>Looks at paths by SIZE, MDTM and CWD alone; looks stay open where these do not answer.</summary>
    public async ValueTask<IReadOnlyList<FtpLook>> LookByPartsAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        var looks = paths.Select(path => new FtpLook(path)).ToArray();
        var sendable = await SendableAsync(looks, ct).ConfigureAwait(false);
        if (sendable.Length > 0) await LookByPartsAsync(sendable, ct).ConfigureAwait(false);
        return looks;
    }

    /// <summary>The commands that look at one path by one means, for a batch.</summary>
    public IReadOnlyList<FtpCommand> LookCommands(string path) =>
        TakesMlst ? [new FtpCommand("MLST", _context.Expand(path))]
        : _context.Profile.HasRelativeNames ? [.. Parts(_context.Expand(path)), _context.Homeward]
        : Parts(_context.Expand(path));

    /// <summary>Returns the sight in the replies to <see cref="LookCommands"/>; a path left open is unknown.</summary>
    public NameSight Sight(string path, IReadOnlyList<FtpReply> replies)
    {
        var isMlst = replies.Count == 1;
        if ((isMlst ? FromMlst(_context, path, replies[0]) : FromParts(path, replies, 0)) is { } entry)
        {
            Host.Describes.ByMlstWithSpace = isMlst && FtpSpaces.Has(path);
            return NameSight.Of(entry);
        }
        var isAbsent = isMlst ? IsProof(path, replies[0]) : IsProof([.. replies.Take(PartCount)]);
        return isAbsent ? NameSight.Absent : default;
    }

    // The rest may still be seen in the listings of their folders.
    private async ValueTask<FtpLook[]> SendableAsync(FtpLook[] looks, CancellationToken ct)
    {
        await _context.Spaces.ProveAsync(looks.Select(look => look.Path), ct).ConfigureAwait(false);
        var sendable = new List<FtpLook>(looks.Length);
        foreach (var look in looks)
        {
            if (_context.Spaces.WhyRefused(look.Path) is { } refusal) look.Refused(refusal);
            else sendable.Add(look);
        }
        return [.. sendable];
    }

    private async ValueTask LookByMlstAsync(FtpLook[] looks, CancellationToken ct)
    {
        FtpCommand[] commands = [.. looks.Select(look => new FtpCommand("MLST", _context.Expand(look.Path)))];
        // The log-in folder exists: once described, 550 for another path is a proof. In the same write that costs no round trip.
        var provesAlong = NeedsAnchor && _context.Pipelining != FtpPipelining.Off;
        var replies = await AskAsync(_context, provesAlong ? [.. commands, Anchor] : commands, ct).ConfigureAwait(false);
        for (var i = 0; i < replies.Count; i++)
        {
            if (i < looks.Length) looks[i].MlstCode = replies[i].Code;
            if (FromMlst(_context, i < looks.Length ? looks[i].Path : _context.Anchor, replies[i]) is not { } entry) continue;
            Host.Describes.ByMlst = true;
            if (i >= looks.Length) continue;
            Host.Describes.ByMlstWithSpace = FtpSpaces.Has(looks[i].Path);
            looks[i].Found(entry);
        }
        if (!provesAlong) await ProveMlstAsync(looks, replies, ct).ConfigureAwait(false);
        for (var i = 0; i < looks.Length; i++)
        {
            if (!looks[i].IsOpen) continue;
            if (replies[i].Code is 500 or 502)
                _context.Ladders.Describe.Leave(FtpDescription.Mlst, $"MLST was answered with {replies[i].Code}");
            if (IsProof(looks[i].Path, replies[i])) looks[i].IsAbsent();
            else looks[i].Refused(replies[i], commands[i]);
        }
    }

    // What other means find, and MLST did not, speaks against MLST where that has never described anything; and where it calls absent
    // what is of a kind that it has never described.
    private FtpLook? MissedByMlst(FtpLook[] looks) => Array.Find(looks, look =>
        look is { MlstCode: > 0 and var code, Outcome.Entry: { } entry }
        && (!Host.Describes.ByMlst || code == 550 && !IsDescribed(entry.Type)));

    private bool IsDescribed(RemoteEntryType kind) => Host.Describes.ByMlst && (!IsUnknown || kind switch
    {
        RemoteEntryType.File => Host.Describes.FilesByMlst,
        RemoteEntryType.Directory => Host.Describes.FoldersByMlst,
        _ => true,
    });

    private bool IsUnknown => _context.Profile.Flavor == FtpFlavor.Unknown;

    /// <summary>Whether MLST has described a folder.</summary>
    public bool DescribesFolders => IsDescribed(RemoteEntryType.Directory);

    private bool NeedsAnchor => !DescribesFolders;

    /// <summary>
    /// Sends MLST, and leaves its rung where no reply comes before MLST has described anything: some servers announce MLST and never
    /// answer.
    /// </summary>
    public static async ValueTask<IReadOnlyList<FtpReply>> AskAsync(
        FtpSessionContext context, FtpCommand[] commands, CancellationToken ct)
    {
        if (context.Host.Describes.ByMlst || context.Options.Compatibility.Describe is not null)
            return await context.ExecuteAllAsync(commands, ct).ConfigureAwait(false);
        try
        {
            var silence = FtpSilence.Of(context.Control.RoundTrip, context.Options.IdleTimeout);
            var window = new FtpCommandWindow(context, commands) { Silence = silence };
            return await window.RunAsync(ct).ConfigureAwait(false);
        }
        catch (TransferConnectionException e) when (e.Error == TransferError.Timeout)
        {
            context.Ladders.Describe.Leave(FtpDescription.Mlst, e.Message, mayPass: true);
            throw;
        }
    }

    // One command at a time the proof costs a round trip, once a host, and only after a refusal.
    private async ValueTask ProveMlstAsync(FtpLook[] looks, IReadOnlyList<FtpReply> replies, CancellationToken ct)
    {
        if (!NeedsAnchor || !looks.Where((look, i) => look.IsOpen && replies[i].Code == 550).Any()) return;
        var proof = await _context.ExecuteAllAsync([Anchor], ct).ConfigureAwait(false);
        if (FromMlst(_context, _context.Anchor, proof[0]) is not null) Host.Describes.ByMlst = true;
    }

    private FtpCommand Anchor => new("MLST", _context.Anchor);

    private async ValueTask LookByPartsAsync(FtpLook[] looks, CancellationToken ct)
    {
        var commands = looks.SelectMany(look => Parts(_context.Expand(look.Path))).ToArray();
        var replies = await _context.ExecuteAllAsync(commands, ct).ConfigureAwait(false);
        var each = commands.Length / looks.Length;
        for (var i = 0; i < looks.Length; i++)
        {
            if (FromParts(looks[i].Path, replies, i * each) is { } entry) looks[i].Found(entry);
        }
        if (_context.Profile.Mlst && !TakesMlst && Array.Exists(looks, look => !look.IsOpen))
        {
            _context.Ladders.Describe.Prove();
            _context.Ladders.Confirm();
        }
        for (var i = 0; i < looks.Length; i++)
        {
            if (!looks[i].IsOpen) continue;
            FtpReply[] refusals = [.. replies.Skip(i * each).Take(each)];
            if (IsProof(refusals)) looks[i].IsAbsent();
            else for (var k = 0; k < each; k++) looks[i].Refused(refusals[k], commands[(i * each) + k]);
        }
    }

    private bool IsProof(string path, FtpReply mlst) => mlst.Code == 550
        && IsDescribed(RemoteEntryType.File) && IsDescribed(RemoteEntryType.Directory)
        && (Host.Describes.ByMlstWithSpace || !IsUnknown || !FtpSpaces.Has(path));

    // A transient refusal is no proof: a file that is locked for a moment exists.
    private bool IsProof(FtpReply[] refusals)
    {
        if (!Array.TrueForAll(refusals, reply => reply.IsPermanentFailure)) return false;
        return refusals[0].Code == 550 && Host.Describes.BySize && _context.HasExactLengths
            || refusals[1].Code == 550 && Host.Describes.ByTime;
    }

    private static FtpCommand[] Parts(string path) => [new("SIZE", path), new("MDTM", path), new("CWD", path)];

    /// <summary>Returns the entry in a reply to MLST; null: none.</summary>
    public static RemoteEntry? FromMlst(FtpSessionContext context, string path, FtpReply reply)
    {
        foreach (var line in reply.IsSuccess ? reply.Lines.Skip(1) : [])
        {
            if (!MlsxParser.TryParse(line.AsSpan().TrimStart(' '), RemotePath.GetParent(path) ?? "/", out var entry, out _)) continue;
            context.Host.Describes.FilesByMlst = entry.Type == RemoteEntryType.File;
            context.Host.Describes.FoldersByMlst = entry.Type == RemoteEntryType.Directory;
            return entry with { Path = path, IsLengthApproximate = !context.HasExactLengths };
        }
        return null;
    }

    private RemoteEntry? FromParts(string path, IReadOnlyList<FtpReply> replies, int start)
    {
        var (size, time, change) = (FtpFileTransfer.Size(replies[start]), FtpTime.OfReply(replies[start + 1]), replies[start + 2]);
        // Some servers give directories a size, so CWD is judged first.
        var isEntered = change.IsSuccess && (!_context.Profile.HasPrefixesForFolders || path == RemotePath.Home);
        if (isEntered) return new RemoteEntry { Path = path, Type = RemoteEntryType.Directory, Modified = time };
        if (size is not null && _context.HasExactLengths) Host.Describes.BySize = true;
        if (time is not null) Host.Describes.ByTime = true;
        if (size is null && time is null) return null;
        return new()
        {
            Path = path,
            Type = RemoteEntryType.File,
            Length = size,
            IsLengthApproximate = !_context.HasExactLengths,
            Modified = time
        };
    }
}
