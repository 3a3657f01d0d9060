using Transfer.Sessions;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh;

namespace Transfer.Sftp.Session;

/// <summary>Renames single paths, and sets what can be set.</summary>
internal sealed class SftpEntries
{
    // Requests and replies are short: this is what a long link holds, and bounds what is under way.
    private const int MovesTogether = 2048;

    private readonly SftpSessionContext _context;
    private readonly SftpLookUp _lookUp;
    private readonly SftpPublisher _publisher;

    public SftpEntries(SftpSessionContext context, SftpLookUp lookUp, SftpPublisher publisher)
    {
        _context = context;
        _lookUp = lookUp;
        _publisher = publisher;
    }

    public async ValueTask MoveAsync(string from, string to, bool overwrite, CancellationToken ct)
    {
        await _context.Users.LearnAsync([from, to], ct).ConfigureAwait(false);
        var (source, target) = (_context.Expand(from), _context.Expand(to));
        // Not every server's plain RENAME refuses, as it should.
        if (!overwrite && await _lookUp.GetAsync(to, ct).ConfigureAwait(false) is not null) throw SftpPublisher.Exists(to);
        if (await _publisher.RenameAsync(source, target, from, to, overwrite, ct).ConfigureAwait(false) is { } error) throw error;
    }

    /// <summary>Moves files, many at once; why not, or null, for each, in order.</summary>
    public async ValueTask<IReadOnlyList<TransferException?>> MoveAllAsync(IReadOnlyList<FileMove> moves, bool overwrite, CancellationToken ct)
    {
        var errors = new List<TransferException?>(moves.Count);
        foreach (var some in moves.Chunk(MovesTogether)) errors.AddRange(await Task.WhenAll(some.Select(move => TryMoveAsync(move, overwrite, ct))).ConfigureAwait(false));
        return errors;
    }

    /// <summary>Sets and renames in one breath: the server takes requests in order. What can't be set is no reason not to publish.</summary>
    public async ValueTask PublishAsync(string temporary, string path, bool overwrite, FileMetadata? metadata, CancellationToken ct)
    {
        await _context.Users.LearnAsync([temporary, path], ct).ConfigureAwait(false);
        var (source, target) = (_context.Expand(temporary), _context.Expand(path));
        var attributes = SftpTimes.ToAttributes(metadata);
        var setting = SftpTimes.IsEmpty(attributes) ? (PendingReply?)null : _context.Operations.SetStatAsync(source, attributes, ct);
        try
        {
            if (!overwrite && (await _context.Operations.StatAsync(target, follow: false, ct).ConfigureAwait(false)).IsOk) throw SftpPublisher.Exists(path);
            if (await _publisher.PublishAsync(source, target, temporary, path, overwrite).ConfigureAwait(false) is { } error) throw error;
        }
        finally
        {
            if (setting is { } asked && await asked.ConfigureAwait(false) is { IsOk: false } unset) Log.AttributesNotSet(_context.Logger, path, (uint)unset.Status);
        }
    }

    public async ValueTask SetAsync(string path, FileMetadata metadata, CancellationToken ct)
    {
        var attributes = SftpTimes.ToAttributes(metadata);
        if (SftpTimes.IsEmpty(attributes)) return;
        await _context.Users.LearnAsync(path, ct).ConfigureAwait(false);
        var reply = await _context.Operations.SetStatAsync(_context.Expand(path), attributes, ct).ConfigureAwait(false);
        if (reply.IsOk) return;
        if (reply.Status != SftpStatus.Unsupported) throw SftpErrors.ToException(reply, "SETSTAT", path);
        Log.AttributesNotSet(_context.Logger, path, (uint)reply.Status);
    }

    /// <summary>Bytes that this user may still write at a path (statvfs@openssh.com), or null where the server does not say.</summary>
    public async ValueTask<long?> GetAvailableSpaceAsync(string path, CancellationToken ct)
    {
        if (!_context.Offers(SftpExtension.StatVfs)) return null;
        await _context.Users.LearnAsync(path, ct).ConfigureAwait(false);
        var reply = await _context.Operations.StatVfsAsync(_context.Expand(path), ct).ConfigureAwait(false);
        if (!reply.IsOk) throw SftpErrors.ToException(reply, "statvfs", path);
        return _context.Read(reply, static bytes =>
        {
            var reader = new SshReader(bytes);
            reader.ReadUInt64();
            var unit = reader.ReadUInt64();
            reader.ReadUInt64();
            reader.ReadUInt64();
            return (long)UInt128.Min((UInt128)unit * reader.ReadUInt64(), long.MaxValue);
        });
    }

    public static RemoteEntry ToEntry(string path, in SftpAttributes attributes, RemoteEntryType? type) => new()
    {
        Path = path,
        Type = type ?? RemoteEntryType.File,
        Length = type is null or RemoteEntryType.File ? attributes.Length : null,
        Modified = SftpTimes.Modified(attributes),
        Mode = attributes.Mode,
        Owner = attributes.UserId?.ToString(System.Globalization.CultureInfo.InvariantCulture),
    };

    private async Task<TransferException?> TryMoveAsync(FileMove move, bool overwrite, CancellationToken ct)
    {
        try
        {
            if (overwrite || _context.RenamesSafely || !await IsFileAsync(move.From, ct).ConfigureAwait(false)) await MoveAsync(move.From, move.To, overwrite, ct).ConfigureAwait(false);
            else await PublishAsync(move.From, move.To, overwrite, null, ct).ConfigureAwait(false);
            return null;
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            return e;
        }
    }

    // A second name for a link is one for what it leads to, on some systems.
    private async ValueTask<bool> IsFileAsync(string path, CancellationToken ct)
    {
        await _context.Users.LearnAsync(path, ct).ConfigureAwait(false);
        var reply = await _context.Operations.StatAsync(_context.Expand(path), follow: false, ct).ConfigureAwait(false);
        return reply.IsOk && reply.Attributes.Type is null or RemoteEntryType.File;
    }
}
