using System.Globalization;
using Transfer.Modes;
using Transfer.Replacing;
using Transfer.Sessions;
using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>Renames single paths, and sets times and permissions.</summary>
internal sealed class SftpEntries
{
    private readonly SftpSessionContext _context;
    private readonly SftpRenamer _renamer;

    public SftpEntries(SftpSessionContext context, SftpRenamer renamer)
    {
        _context = context;
        _renamer = renamer;
    }

    /// <summary>
    /// Sets attributes and renames, in one flight where the server handles requests in order. A refused attribute does not prevent the
    /// rename.
    /// </summary>
    public async ValueTask RenameAsync(Renaming renaming, CancellationToken ct)
    {
        await _context.Users.ResolveUsersAsync([renaming.From, renaming.To], ct).ConfigureAwait(false);
        var attributes = SftpTimes.ToAttributes(renaming.Metadata);
        var setting = SftpTimes.IsEmpty(attributes) ? (PendingReply?)null
            : _context.Operations.SetStatAsync(_context.Expand(renaming.From), attributes, ct);
        SftpStatus? refused = null;
        if (_context.IsUnordered && setting is { } first)
        {
            if (await first.ConfigureAwait(false) is { IsOk: false } early) refused = early.Status;
            setting = null;
        }
        try
        {
            // Some servers' plain RENAME replaces, contrary to the draft.
            if (renaming is { IsTemporary: true, Replace: false, InDoubt: false })
                renaming = renaming with { TargetSeen = (await _renamer.LookAsync([renaming.To], ct).ConfigureAwait(false))[0] };
            if (await _renamer.RunAsync(renaming, ct).ConfigureAwait(false) is { } error) throw error;
        }
        finally
        {
            if (setting is { } asked && await asked.ConfigureAwait(false) is { IsOk: false } unset) refused = unset.Status;
        }
        if (refused is { } status) await NotSetAsync(renaming, attributes, status, ct).ConfigureAwait(false);
    }

    /// <summary>Renames files, many at once; returns an error or null for each, in order.</summary>
    public async ValueTask<IReadOnlyList<TransferException?>> RenameAllAsync(IReadOnlyList<Renaming> renamings, CancellationToken ct)
    {
        var errors = new List<TransferException?>(renamings.Count);
        foreach (var some in renamings.Chunk(SftpSessionContext.MaxRequestsTogether))
            errors.AddRange(await Task.WhenAll(some.Select(renaming => TryRenameAsync(renaming, ct))).ConfigureAwait(false));
        return errors;
    }

    public async ValueTask SetAsync(string path, FileMetadata metadata, CancellationToken ct)
    {
        var attributes = SftpTimes.ToAttributes(metadata);
        if (SftpTimes.IsEmpty(attributes)) return;
        await _context.Users.ResolveUsersAsync(path, ct).ConfigureAwait(false);
        var reply = await _context.Operations.SetStatAsync(_context.Expand(path), attributes, ct).ConfigureAwait(false);
        if (reply.IsOk) return;
        if (reply.Status != SftpStatus.Unsupported) throw SftpErrors.ToException(reply, "SETSTAT", path);
        Log.AttributesNotSet(_context.Logger, path, (uint)reply.Status);
    }

    /// <summary>Sets permissions, many at once; returns an error or null for each, in order.</summary>
    public async ValueTask<IReadOnlyList<TransferException?>> SetModesAsync(IReadOnlyList<ModeSetting> settings, CancellationToken ct)
    {
        await _context.Users.ResolveUsersAsync([.. settings.Select(setting => setting.Path)], ct).ConfigureAwait(false);
        var replies = await SftpStream.SendAsync(settings, setting => _context.Operations.SetStatAsync(_context.Expand(setting.Path),
            new SftpAttributes { Permissions = (uint)setting.Mode & 0xFFF }, ct)).ConfigureAwait(false);
        return [.. replies.Select((reply, i) => reply.IsOk ? null : SftpErrors.ToException(reply, "SETSTAT", settings[i].Path))];
    }

    /// <summary>Gives a temporary file the permissions for the final name.</summary>
    public async ValueTask<bool> SettleModeAsync(ModeSettlement settlement, CancellationToken ct)
    {
        if (_context.Server.NoModes) return settlement.Replaced is null;
        await _context.Users.ResolveUsersAsync(settlement.Replaced is { } target ? [settlement.Path, target] : [settlement.Path],
            ct).ConfigureAwait(false);
        var path = _context.Expand(settlement.Path);
        var looking = settlement.Replaced is { } replaced
            ? _context.Operations.StatAsync(_context.Expand(replaced), follow: true, ct) : (PendingReply?)null;
        var own = await _context.Operations.StatAsync(path, follow: false, ct).ConfigureAwait(false);
        var there = looking is { } asked ? await asked.ConfigureAwait(false) : default;
        // The file has been renamed already, with the permissions.
        if (!own.IsOk) return true;
        var old = looking is null ? null : SftpFileMode.Replaced(there, own.Attributes);
        if (old is null && settlement.KeepsOwn) return true;
        var umask = old is not null || !FinalMode.DependsOnUmask(settlement.Source) ? UnixFileMode.None
            : await _context.Server.Umask.FindLateAsync(_context, path).ConfigureAwait(false);
        if (FinalMode.Decide(null, old, settlement.Source, umask) is not { } mode || mode == own.Attributes.Mode) return true;
        var attributes = new SftpAttributes { Permissions = (uint)mode };
        var reply = await _context.Operations.SetStatAsync(path, attributes, ct).ConfigureAwait(false);
        if (reply.IsOk) SftpFileMode.HandleSet(_context, attributes);
        else SftpFileMode.HandleModeRefusal(_context, settlement.Path, reply.Status);
        return reply.IsOk;
    }

    /// <summary>Returns the space at a path (statvfs@openssh.com), or null where the server does not report it.</summary>
    public async ValueTask<StorageSpace?> GetSpaceAsync(string path, CancellationToken ct)
    {
        await _context.Users.ResolveUsersAsync(path, ct).ConfigureAwait(false);
        return await SftpSpace.FindAsync(_context, _context.Expand(path), path, ct).ConfigureAwait(false);
    }

    public static RemoteEntry ToEntry(string path, in SftpAttributes attributes, RemoteEntryType? type) => new()
    {
        Path = path,
        Type = type ?? RemoteEntryType.File,
        Length = type is null or RemoteEntryType.File ? attributes.Length : null,
        Modified = SftpTimes.Modified(attributes),
        Mode = attributes.Mode,
        Owner = attributes.UserId?.ToString(CultureInfo.InvariantCulture),
        Group = attributes.GroupId?.ToString(CultureInfo.InvariantCulture),
    };

    // The time was refused only because of the permissions in the same request.
    private async ValueTask NotSetAsync(Renaming renaming, SftpAttributes attributes, SftpStatus status, CancellationToken ct)
    {
        if (renaming.InDoubt)
        {
            // The file may have been renamed before, with all attributes set.
            Log.AttributesNotSet(_context.Logger, renaming.To, (uint)status);
            return;
        }
        // The rename has overtaken the request: nothing was refused.
        if (status == SftpStatus.NoSuchFile)
        {
            var again = await _context.Operations.SetStatAsync(_context.Expand(renaming.To), attributes, ct).ConfigureAwait(false);
            if (again.IsOk) return;
            status = again.Status;
        }
        var rest = SftpFileMode.HandleRefusal(_context, renaming.To, attributes, status);
        if (!SftpTimes.IsEmpty(rest))
        {
            var reply = await _context.Operations.SetStatAsync(_context.Expand(renaming.To), rest, ct).ConfigureAwait(false);
            if (reply.IsOk) return;
            Log.AttributesNotSet(_context.Logger, renaming.To, (uint)reply.Status);
            status = reply.Status;
        }
        if (attributes.Modified is not null && renaming.IsTemporary) SftpTimes.HandleRefusal(_context, status, exists: false);
    }

    private async Task<TransferException?> TryRenameAsync(Renaming renaming, CancellationToken ct)
    {
        try
        {
            await RenameAsync(renaming, ct).ConfigureAwait(false);
            return null;
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            return e;
        }
    }
}
