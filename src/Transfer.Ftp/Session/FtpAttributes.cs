using System.Globalization;
using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>Times, permissions, hashes and free space: what is set on or asked of a file beside its content.</summary>
internal sealed class FtpAttributes
{
    private readonly FtpSessionContext _context;

    public FtpAttributes(FtpSessionContext context) => _context = context;

    /// <summary>Surely: SITE UTIME is tried without being announced, too.</summary>
    public bool SetsModified => _context.Profile.Features.Has("MFMT") || _context.Profile.MdtmSets || _context.Profile.Features.Has("SITE", "UTIME");

    /// <summary>The commands that set metadata on a path: they depend on nothing and may ride in any batch.</summary>
    public IEnumerable<FtpCommand> SetCommands(string path, FileMetadata? metadata)
    {
        if (metadata is null) yield break;
        if (metadata.Modified is { } modified && ModifiedCommand(path, modified) is { } command) yield return command;
        if (metadata.Mode is { } mode)
            yield return new FtpCommand("SITE", $"CHMOD {Convert.ToString((int)mode & 0xFFF, 8)} {path}");
    }

    /// <summary>Looks at the reply to one of <see cref="SetCommands"/>: a refusal is no failure of the file.</summary>
    public void Check(FtpCommand command, FtpReply reply)
    {
        if (reply.IsSuccess) return;
        if (reply.Code is 500 or 501 or 502 or 504 && command.Is("SITE") && command.Argument!.StartsWith("UTIME", StringComparison.Ordinal))
            _context.Host.NoSiteUtime = true;
        Log.AttributeNotSet(_context.Logger, command.Verb, reply.Code);
    }

    public async ValueTask SetAsync(string path, FileMetadata metadata, CancellationToken ct)
    {
        FtpCommand[] commands = [.. SetCommands(_context.Expand(path), metadata)];
        var replies = await _context.ExecuteAllAsync(commands, ct).ConfigureAwait(false);
        for (var i = 0; i < commands.Length; i++)
        {
            Check(commands[i], replies[i]);
            // 500 to 504: the server can't, which the features say; anything else is about this file.
            if (!replies[i].IsSuccess && replies[i].Code is not (500 or 501 or 502 or 504))
                throw ReplyErrors.ToException(replies[i], commands[i], path, writes: true);
        }
    }

    public async ValueTask<string?> HashAsync(string path, string algorithm, CancellationToken ct)
    {
        if (!_context.Profile.HashCommands.TryGetValue(algorithm, out var verb)) return null;
        var argument = _context.Expand(path);
        var hash = new FtpCommand(verb, argument);
        FtpCommand[] commands = verb == "HASH" ? [new FtpCommand("OPTS", "HASH " + algorithm.ToUpperInvariant()), hash] : [hash];
        var replies = await _context.ExecuteAllAsync(commands, ct).ConfigureAwait(false);
        var reply = replies[^1];
        if (!reply.IsSuccess) throw ReplyErrors.ToException(reply, hash, path, writes: false);
        return reply.Lines.Select(line => FtpHashCommands.Find(line, algorithm)).FirstOrDefault(found => found is not null)
            ?? throw new TransferException(TransferError.Protocol, $"The reply to {verb} holds no {algorithm} hash.") { RemotePath = path };
    }

    public async ValueTask<long?> AvailableSpaceAsync(string path, CancellationToken ct)
    {
        if (!_context.Profile.Features.Has("AVBL")) return null;
        var command = new FtpCommand("AVBL", _context.Expand(path));
        var reply = await _context.Control.ExecuteAsync(command, ct).ConfigureAwait(false);
        if (!reply.IsSuccess) throw ReplyErrors.ToException(reply, command, path, writes: false);
        foreach (var word in reply.Text.Split(' '))
        {
            if (long.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out var bytes)) return bytes;
        }
        return null;
    }

    private FtpCommand? ModifiedCommand(string path, DateTimeOffset modified)
    {
        var time = FtpTime.Format(modified);
        if (_context.Profile.Features.Has("MFMT")) return new FtpCommand("MFMT", $"{time} {path}");
        if (_context.Profile.MdtmSets) return new FtpCommand("MDTM", $"{time} {path}");
        return _context.Host.NoSiteUtime ? null : new FtpCommand("SITE", $"UTIME {time} {path}");
    }
}
