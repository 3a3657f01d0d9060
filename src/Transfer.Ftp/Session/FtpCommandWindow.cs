using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// Runs many commands of which none starts a transfer, together where the host allows it. ProFTPD 1.3.8 takes two commands for one where what it reads at once ends between
/// CR and LF: so what it has not answered is never more than it reads at once, and no write is more than one segment. Over TLS it reads record by record.
/// </summary>
internal sealed class FtpCommandWindow
{
    /// <summary>Most commands that are on their way outside of transfers. Servers were seen to take 2,000; this bounds our own memory.</summary>
    private const int MostCommands = 256;

    private readonly FtpSessionContext _context;
    private readonly IReadOnlyList<FtpCommand> _commands;
    private readonly Queue<(PendingReply Reply, int Bytes)> _open = new();
    private readonly List<FtpReply> _replies;
    private readonly int _mostCommands;
    private readonly int _mostBytes;
    private readonly int _mostWritten;
    private int _openBytes;

    public FtpCommandWindow(FtpSessionContext context, IReadOnlyList<FtpCommand> commands)
    {
        _context = context;
        _commands = commands;
        _replies = new List<FtpReply>(commands.Count);
        _mostCommands = context.Pipelining == FtpPipelining.Off ? 1 : MostCommands;
        _mostBytes = context.Control.IsTls ? int.MaxValue : context.MostReadBytes;
        _mostWritten = context.Control.IsTls ? int.MaxValue : Math.Min(context.MostPipelinedBytes, _mostBytes);
    }

    /// <summary>The final replies, in order.</summary>
    public async ValueTask<IReadOnlyList<FtpReply>> RunAsync(CancellationToken ct)
    {
        try
        {
            await SendAllAsync(ct).ConfigureAwait(false);
            while (_open.Count > 0) await TakeAsync(ct).ConfigureAwait(false);
            return _replies;
        }
        catch (TransferConnectionException e) when (e.Error == TransferError.Protocol)
        {
            _context.TurnSerial(e.Message);
            throw;
        }
    }

    private async ValueTask SendAllAsync(CancellationToken ct)
    {
        for (var sent = 0; sent < _commands.Count;)
        {
            var write = NextWrite(sent);
            var bytes = write.Sum(_context.BytesOf);
            while (_open.Count > 0 && (_open.Count + write.Length > _mostCommands || _openBytes + bytes > _mostBytes)) await TakeAsync(ct).ConfigureAwait(false);
            foreach (var pending in await _context.Control.SendAsync(write, ct).ConfigureAwait(false)) _open.Enqueue((pending, _context.BytesOf(pending.Command)));
            _openBytes += bytes;
            sent += write.Length;
        }
    }

    // At least one.
    private FtpCommand[] NextWrite(int start)
    {
        var end = start + 1;
        for (var bytes = _context.BytesOf(_commands[start]); end < _commands.Count && end - start < _mostCommands; end++)
        {
            bytes += _context.BytesOf(_commands[end]);
            if (bytes > _mostWritten) break;
        }
        return [.. _commands.Skip(start).Take(end - start)];
    }

    private async ValueTask TakeAsync(CancellationToken ct)
    {
        var (reply, bytes) = _open.Dequeue();
        _openBytes -= bytes;
        _replies.Add(await reply.FinalAsync(ct).ConfigureAwait(false));
    }
}
