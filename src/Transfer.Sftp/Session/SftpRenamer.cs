using Transfer.Replacing;
using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>
/// The steps of a replacement over SFTP. posix-rename@openssh.com replaces in one step; plain RENAME must not replace
/// (draft-ietf-secsh-filexfer-02 section 6.5), though many servers' RENAME does.
/// </summary>
internal sealed class SftpRenamer : IRenamer
{
    private readonly SftpSessionContext _context;

    private readonly SftpLookUp _lookUp;

    public SftpRenamer(SftpSessionContext context, SftpLookUp lookUp)
    {
        _context = context;
        _lookUp = lookUp;
    }

    public static TransferException Exists(string path) => new(TransferError.Exists, $"{path} exists.") { RemotePath = path };

    public static TransferException IsFolder(string path) =>
        new(TransferError.Exists, $"{path} is a folder, and in the way.") { RemotePath = path };

    /// <summary>Renames; returns the error, or null.</summary>
    /// <exception cref="TransferConnectionException">The session was lost.</exception>
    public async ValueTask<TransferException?> RunAsync(Renaming renaming, CancellationToken ct)
    {
        await _context.Users.ResolveUsersAsync([renaming.From, renaming.To], ct).ConfigureAwait(false);
        var result = await ReplacementDriver.RunAsync(renaming, this, _context.Server.Renames, _context.Options.TimeProvider,
            ct).ConfigureAwait(false);
        if (result is { IsDone: true, Aside: { } aside }) Log.AsideLeft(_context.Logger, renaming.To, aside);
        return result.Error;
    }

    /// <summary>
    /// Sends renames back to back: the server handles requests in order. A single rename may use a second form of the request.
    /// </summary>
    public async ValueTask<IReadOnlyList<RenameReply>> RenameAsync(IReadOnlyList<ReplacementStep.Rename> renames, CancellationToken ct)
    {
        if (renames.Count == 1) return [await RenameAsync(renames[0], ct).ConfigureAwait(false)];
        if (_context.IsUnordered) return await RenameInTurnAsync(renames, ct).ConfigureAwait(false);
        var asked = new PendingReply[renames.Count];
        for (var i = 0; i < asked.Length; i++)
        {
            asked[i] = _context.Operations.RenameAsync(_context.Expand(renames[i].From), _context.Expand(renames[i].To),
                ReplacesByPosix(renames[i]), ct);
        }

        var replies = new RenameReply[asked.Length];
        for (var i = 0; i < asked.Length; i++) replies[i] = Reply(renames[i], await asked[i].ConfigureAwait(false));
        return replies;
    }

    private async ValueTask<IReadOnlyList<RenameReply>> RenameInTurnAsync(IReadOnlyList<ReplacementStep.Rename> renames,
        CancellationToken ct)
    {
        var replies = new RenameReply[renames.Count];
        for (var i = 0; i < replies.Length; i++) replies[i] = await RenameAsync(renames[i], ct).ConfigureAwait(false);
        return replies;
    }

    public async ValueTask<IReadOnlyList<NameSight>> LookAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        var asked = new PendingReply[paths.Count];
        for (var i = 0; i < asked.Length; i++) asked[i] = _context.Operations.StatAsync(_context.Expand(paths[i]), follow: false, ct);
        var sights = new NameSight[asked.Length];
        for (var i = 0; i < asked.Length; i++) sights[i] = Sight(await asked[i].ConfigureAwait(false));
        for (var i = 0; i < asked.Length; i++)
        {
            var isDoubtful = sights[i].State == NameState.Directory && _context.Server.Traits.Has(SftpTrait.PhantomFolders);
            if (isDoubtful || sights[i].State == NameState.Unknown) sights[i] = await LookFurtherAsync(paths[i], ct).ConfigureAwait(false);
        }
        return sights;
    }

    // Some servers answer LSTAT of an absent name with other codes than the draft's.
    private async ValueTask<NameSight> LookFurtherAsync(string path, CancellationToken ct)
    {
        try
        {
            return NameSight.Of(await _lookUp.GetAsync(path, ct).ConfigureAwait(false));
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            Log.NotSeen(_context.Logger, e.Message);
            return default;
        }
    }

    public async ValueTask<TransferException?> DeleteAsync(string path, CancellationToken ct)
    {
        var reply = await _context.Operations.RemoveAsync(_context.Expand(path), ct).ConfigureAwait(false);
        return reply.IsOk ? null : SftpErrors.ToException(reply, "REMOVE", path);
    }

    /// <summary>The sight of a name, by LSTAT.</summary>
    public static NameSight Sight(in SftpReply reply)
    {
        if (SftpErrors.Map(reply.Status, TransferError.Denied) == TransferError.NotFound) return NameSight.Absent;
        if (!reply.IsOk) return default;
        var attributes = reply.Attributes;
        return attributes.Type == RemoteEntryType.Directory
            ? new(NameState.Directory) : new(NameState.File, attributes.Length, SftpTimes.Modified(attributes));
    }

    private async ValueTask<RenameReply> RenameAsync(ReplacementStep.Rename rename, CancellationToken ct)
    {
        if (rename is { Replaces: false, IsExclusive: true } && !_context.RenamesSafely
            && _context.Offers(SftpExtension.HardLink) && !_context.Server.NoHardLinks
            && await LinkAsync(rename, ct).ConfigureAwait(false) is { } linked)
        {
            return linked;
        }
        var (from, to) = (_context.Expand(rename.From), _context.Expand(rename.To));
        var posix = ReplacesByPosix(rename);
        var reply = await _context.Operations.RenameAsync(from, to, posix, ct).ConfigureAwait(false);
        // The extension was announced, but is missing.
        if (posix && reply.Status == SftpStatus.Unsupported)
            reply = await _context.Operations.RenameAsync(from, to, posix: false, ct).ConfigureAwait(false);
        return Reply(rename, reply);
    }

    // Many servers' RENAME is the system's and replaces, or checks first and renames later. A hard link never takes an existing name, even
    // against simultaneous writers. Null: the file system has no hard links, and RENAME must do.
    private async ValueTask<RenameReply?> LinkAsync(ReplacementStep.Rename rename, CancellationToken ct)
    {
        var (from, to) = (_context.Expand(rename.From), _context.Expand(rename.To));
        var linked = await _context.Operations.HardLinkAsync(from, to, ct).ConfigureAwait(false);
        if (linked.IsOk)
        {
            if (await DeleteAsync(rename.From, ct).ConfigureAwait(false) is { } left)
                Log.TemporaryFileLeft(_context.Logger, rename.From, (uint)(left.ServerCode ?? 0));
            return new(RenameAnswer.Done);
        }
        if (linked.Status == SftpStatus.FileAlreadyExists) return new(RenameAnswer.Refused, Exists(rename.To));
        var there = await _context.Operations.StatAsync(to, follow: false, ct).ConfigureAwait(false);
        if (there.IsOk) return new(RenameAnswer.Refused, Exists(rename.To));
        var renamed = await _context.Operations.RenameAsync(from, to, posix: false, ct).ConfigureAwait(false);
        if (!renamed.IsOk) return Reply(rename, renamed);
        // A refused RENAME proves nothing about links: across file systems neither works.
        _context.Server.NoHardLinks = true;
        Log.NoHardLinks(_context.Logger, rename.To, (uint)linked.Status);
        return new(RenameAnswer.Done);
    }

    private bool ReplacesByPosix(ReplacementStep.Rename rename) => rename.Replaces && _context.Offers(SftpExtension.PosixRename);

    private static RenameReply Reply(ReplacementStep.Rename rename, in SftpReply reply)
    {
        if (reply.IsOk) return new(RenameAnswer.Done);
        var answer = reply.Status switch
        {
            SftpStatus.Failure or SftpStatus.FileAlreadyExists => RenameAnswer.Refused,
            SftpStatus.NoSuchFile or SftpStatus.NoSuchPath => RenameAnswer.SourceRefused,
            SftpStatus.Unsupported => RenameAnswer.Unsupported,
            SftpStatus.NoConnection or SftpStatus.ConnectionLost => RenameAnswer.Later,
            _ => RenameAnswer.Denied,
        };
        return new(answer, SftpErrors.ToException(reply, "RENAME", rename.To));
    }
}
