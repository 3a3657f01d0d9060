using Transfer.Ftp.Listing;
using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>Renames single paths, and describes files in front of their transfers.</summary>
internal sealed class FtpEntries
{
    private readonly FtpSessionContext _context;
    private readonly FtpLookUp _lookUp;

    public FtpEntries(FtpSessionContext context, FtpLookUp lookUp)
    {
        _context = context;
        _lookUp = lookUp;
    }

    /// <inheritdoc cref="FtpLookUp.GetAsync"/>
    public ValueTask<RemoteEntry?> GetAsync(string path, CancellationToken ct) => _lookUp.GetAsync(path, ct);

    public async ValueTask MoveAsync(string from, string to, bool overwrite, CancellationToken ct)
    {
        if (!overwrite && await GetAsync(to, ct).ConfigureAwait(false) is not null)
            throw new TransferException(TransferError.Exists, "The target of the rename exists.") { RemotePath = to };
        if (overwrite && _context.Host.RenameRefusesExisting) await DeleteTargetAsync(to, ct).ConfigureAwait(false);
        if (await RenameAsync(from, to, ct).ConfigureAwait(false) is not { } refused) return;
        if (!overwrite || await GetAsync(to, ct).ConfigureAwait(false) is not { Type: not RemoteEntryType.Directory }) throw refused;
        _context.Host.RenameRefusesExisting = true;
        Log.RenameRefusesExisting(_context.Logger, _context.Control.Settings.Host);
        await DeleteTargetAsync(to, ct).ConfigureAwait(false);
        if (await RenameAsync(from, to, ct).ConfigureAwait(false) is { } again) throw again;
    }

    /// <summary>Gives a temporary file its name. An old file is deleted only when the temporary one is in its folder: out of another file system it would never come there.</summary>
    public async ValueTask PublishAsync(string temporary, string path, bool overwrite, CancellationToken ct)
    {
        if (!overwrite || IsBeside(temporary, path))
        {
            await MoveAsync(temporary, path, overwrite, ct).ConfigureAwait(false);
            return;
        }
        if (!_context.Host.RenameRefusesExisting && await RenameAsync(temporary, path, ct).ConfigureAwait(false) is null) return;
        var beside = Beside(temporary, path);
        if (await RenameAsync(temporary, beside, ct).ConfigureAwait(false) is { } refused) throw refused;
        try
        {
            await MoveAsync(beside, path, overwrite: true, ct).ConfigureAwait(false);
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            if (await GetAsync(path, ct).ConfigureAwait(false) is null)
                throw new TransferException(e.Error, $"{e.Message} The new content is in {beside}.", e) { RemotePath = path, ServerCode = e.ServerCode };
            await _context.ExecuteAllAsync([new FtpCommand("DELE", _context.Expand(beside))], ct).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>A temporary file is in the folder of its target.</summary>
    public static bool IsBeside(string temporary, string path) => Beside(temporary, path) == temporary;

    /// <summary>What describes a file that is about to be read; no directory, so that there is less to ask.</summary>
    public IReadOnlyList<FtpCommand> StampCommands(string path) =>
        _context.Profile.Mlst ? [new FtpCommand("MLST", path)] : [new FtpCommand("SIZE", path), new FtpCommand("MDTM", path)];

    /// <summary>What the replies to <see cref="StampCommands"/> say of the file; null unless that is its length and its time.</summary>
    public FileStamp? Stamp(IReadOnlyList<FtpReply> replies)
    {
        if (!_context.Profile.Mlst)
            return FtpFileTransfer.Size(replies[0]) is { } size && FtpTime.OfReply(replies[1]) is { } time ? new FileStamp(size, time) : null;
        foreach (var line in replies[0].IsSuccess ? replies[0].Lines.Skip(1) : [])
        {
            if (MlsxParser.TryParse(line.AsSpan().TrimStart(' '), "/", out var entry, out _))
                return entry is { Length: { } length, Modified: { } modified } ? new FileStamp(length, modified) : null;
        }
        return null;
    }

    private static string Beside(string temporary, string path) => RemotePath.Combine(RemotePath.GetParent(path) ?? "/", RemotePath.GetName(temporary));

    private async ValueTask DeleteTargetAsync(string path, CancellationToken ct) =>
        await _context.ExecuteAsync("DELE", _context.Expand(path), ct).ConfigureAwait(false);

    private async ValueTask<TransferException?> RenameAsync(string from, string to, CancellationToken ct)
    {
        FtpCommand[] commands = [new("RNFR", _context.Expand(from)), new("RNTO", _context.Expand(to))];
        var replies = await _context.ExecuteAllAsync(commands, ct).ConfigureAwait(false);
        if (!replies[0].IsIntermediate) return ReplyErrors.ToException(replies[0], commands[0], from, writes: false);
        return replies[1].IsSuccess ? null : ReplyErrors.ToException(replies[1], commands[1], to, writes: true);
    }
}
