using Transfer.Replacing;
using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>
/// The steps of a replacement over SFTP. posix-rename@openssh.com replaces in one step; plain RENAME must not replace
/// (draft-ietf-secsh-filexfer-02 section 6.5), though many servers' RENAME does.
/// </summary>
/// <remarks>
/// Some servers answer OK and rename nothing. So at servers that are not known by name a look at the old name rides behind each rename.
/// Only the old name counts: a hot folder may take the new one away at once.
/// </remarks>
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
        renaming = renaming with { IsByLink = MayLink };
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
        var sent = new Sent[renames.Count];
        // The old name of a file moved aside is that of the new file next.
        for (var i = 0; i < sent.Length; i++)
            sent[i] = Send(renames[i], ReplacesByPosix(renames[i]), looks: renames[i].Original is null, ct);
        var replies = new RenameReply[sent.Length];
        for (var i = 0; i < sent.Length; i++) replies[i] = await ReceiveAsync(sent[i], ct).ConfigureAwait(false);
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
        var hasTime = new bool[asked.Length];
        for (var i = 0; i < asked.Length; i++)
        {
            var reply = await asked[i].ConfigureAwait(false);
            (sights[i], hasTime[i]) = (Sight(reply), SftpTimes.HasTime(reply.Attributes));
        }
        for (var i = 0; i < asked.Length; i++)
        {
            // A folder without a time may be what the server shows for any name.
            var isDoubtful = sights[i].State == NameState.Directory && !hasTime[i];
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
        return reply.IsOk ? null : SftpErrors.ToException(reply, "REMOVE", path, TransferError.Unknown);
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
        if (rename is { Replaces: false, IsExclusive: true } && MayLink && await LinkAsync(rename, ct).ConfigureAwait(false) is { } linked)
        {
            return linked;
        }
        var posix = ReplacesByPosix(rename);
        var reply = await ReceiveAsync(Send(rename, posix, looks: true, ct), ct).ConfigureAwait(false);
        return posix ? await WithoutPosixAsync(rename, reply, ct).ConfigureAwait(false) : reply;
    }

    private bool MayLink => !_context.RenamesSafely && _context.Offers(SftpExtension.HardLink) && !_context.Server.NoHardLinks;

    // Some servers announce the extension, and lack it, refuse it always, or do nothing.
    private async ValueTask<RenameReply> WithoutPosixAsync(ReplacementStep.Rename rename, RenameReply reply, CancellationToken ct)
    {
        var traits = _context.Server.Traits;
        if (reply.IsDone) traits.Settle(SftpTrait.NoPosixRename, has: false);
        var hasWorked = traits.IsSettled(SftpTrait.NoPosixRename) && !traits.Has(SftpTrait.NoPosixRename);
        if (reply.Answer is RenameAnswer.Done or RenameAnswer.Later || hasWorked) return reply;
        var plain = await ReceiveAsync(Send(rename, posix: false, looks: true, ct), ct).ConfigureAwait(false);
        if (plain.IsDone || reply.Answer == RenameAnswer.Unsupported)
        {
            if (traits.Settle(SftpTrait.NoPosixRename, has: true)) Log.NoPosixRename(_context.Logger, reply.Error!.Message.TrimEnd('.'));
            return plain;
        }
        return reply;
    }

    private Sent Send(ReplacementStep.Rename rename, bool posix, bool looks, CancellationToken ct)
    {
        var from = _context.Expand(rename.From);
        var renaming = _context.Operations.RenameAsync(from, _context.Expand(rename.To), posix, ct);
        looks &= !_context.ConfirmsChanges && !rename.MayBeOneName;
        return new(rename, renaming, looks,
            looks && !_context.IsUnordered ? _context.Operations.StatAsync(from, follow: false, ct) : null);
    }

    private async ValueTask<RenameReply> ReceiveAsync(Sent sent, CancellationToken ct)
    {
        var reply = await sent.Reply.ConfigureAwait(false);
        var seen = sent.Look is { } look ? Sight(await look.ConfigureAwait(false)) : (NameSight?)null;
        if (!reply.IsOk) return Reply(sent.Rename, reply);
        // The look may have overtaken the rename, or describe any absent name as a folder.
        var isThere = sent.IsChecked && seen is not { State: NameState.Absent or NameState.Unknown }
            && await LookFurtherAsync(sent.Rename.From, ct).ConfigureAwait(false) is { State: NameState.File or NameState.Directory };
        return isThere ? WithoutEffect(sent.Rename) : new(RenameAnswer.Done);
    }

    private static RenameReply WithoutEffect(ReplacementStep.Rename rename) => new(RenameAnswer.WithoutEffect,
        new TransferException(TransferError.Unsupported,
            $"RENAME {rename.To}: status 0, Ok, but {rename.From} is still there under that name.")
        {
            RemotePath = rename.To,
            ServerCode = (int)SftpStatus.Ok,
        });

    // Many servers' RENAME is the system's and replaces, or checks first and renames later. A hard link never takes an existing name, even
    // against simultaneous writers. Null: the file system has no hard links, and RENAME must do.
    private async ValueTask<RenameReply?> LinkAsync(ReplacementStep.Rename rename, CancellationToken ct)
    {
        var (from, to) = (_context.Expand(rename.From), _context.Expand(rename.To));
        var isChecked = !_context.ConfirmsChanges && !_context.Server.HasProvedHardLinks;
        var linking = _context.Operations.HardLinkAsync(from, to, ct);
        var looking = isChecked && !_context.IsUnordered
            ? _context.Operations.StatAsync(to, follow: false, ct) : (PendingReply?)null;
        var linked = await linking.ConfigureAwait(false);
        var seen = looking is { } look ? Sight(await look.ConfigureAwait(false)) : (NameSight?)null;
        // A server that confirms and links nothing would leave the file without any name.
        if (linked.IsOk && (!isChecked || await HasLinkedAsync(rename.To, seen, ct).ConfigureAwait(false)))
        {
            if (await DeleteAsync(rename.From, ct).ConfigureAwait(false) is { } left)
                Log.TemporaryFileLeft(_context.Logger, rename.From, (uint)(left.ServerCode ?? 0));
            return new(RenameAnswer.Done);
        }
        if (linked.Status == SftpStatus.FileAlreadyExists) return new(RenameAnswer.Refused, Exists(rename.To));
        var there = await _context.Operations.StatAsync(to, follow: false, ct).ConfigureAwait(false);
        if (there.IsOk) return new(RenameAnswer.Refused, Exists(rename.To));
        var renamed = await ReceiveAsync(Send(rename, posix: false, looks: true, ct), ct).ConfigureAwait(false);
        if (!renamed.IsDone) return renamed;
        // A refused RENAME proves nothing about links: across file systems neither works.
        _context.Server.NoHardLinks = true;
        Log.NoHardLinks(_context.Logger, rename.To, (uint)linked.Status);
        return new(RenameAnswer.Done);
    }

    // Proved once a server, so that a hot folder that takes each new file at once costs nothing later.
    private async ValueTask<bool> HasLinkedAsync(string path, NameSight? seen, CancellationToken ct)
    {
        if (seen is not { State: NameState.File }) seen = await LookFurtherAsync(path, ct).ConfigureAwait(false);
        _context.Server.HasProvedHardLinks = seen is { State: NameState.File };
        return seen is not { State: NameState.Absent };
    }

    private bool ReplacesByPosix(ReplacementStep.Rename rename) =>
        rename.Replaces && _context.RenamesByPosix;

    private static RenameReply Reply(ReplacementStep.Rename rename, in SftpReply reply)
    {
        if (reply.IsOk) return new(RenameAnswer.Done);
        var answer = reply.Status switch
        {
            SftpStatus.NoSuchFile or SftpStatus.NoSuchPath => RenameAnswer.SourceRefused,
            SftpStatus.Unsupported => RenameAnswer.Unsupported,
            SftpStatus.NoConnection or SftpStatus.ConnectionLost => RenameAnswer.Later,
            _ => RenameAnswer.Refused,
        };
        return new(answer, SftpErrors.ToException(reply, "RENAME", rename.To));
    }

    /// <summary>A rename that was sent, and the look at the old name behind it.</summary>
    /// <param name="Rename">The rename.</param>
    /// <param name="Reply">The reply to it.</param>
    /// <param name="IsChecked">Whether OK alone does not prove the rename.</param>
    /// <param name="Look">The reply to the look; null: none was sent, or it waits for the rename.</param>
    private readonly record struct Sent(ReplacementStep.Rename Rename, PendingReply Reply, bool IsChecked, PendingReply? Look);
}
