using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// Runs many commands of which none starts a transfer, together where the host allows that. ProFTPD 1.3.8 takes two commands for one where
/// one of its reads ends between CR and LF: many go in lines of even length (<see cref="FtpEvenLines"/>). Else unanswered commands never
/// exceed one read, and no write exceeds one segment. Over TLS it reads record by record.
/// </summary>
internal sealed class FtpCommandWindow
{
    // So that further commands are sent when a part of those under way has been answered, and not all.
    private const int Writes = 8;

    private readonly FtpSessionContext _context;
    private readonly FtpEvenLines? _even;
    private readonly IReadOnlyList<FtpCommand> _commands;
    private readonly IReadOnlyList<int> _bytes;
    private readonly Queue<PendingReply> _open = new();
    private readonly List<FtpReply> _replies;
    private readonly int _mostCommands;
    private readonly int _mostBytes;
    private readonly int _mostWritten;
    private int _openBytes;

    public FtpCommandWindow(FtpSessionContext context, IReadOnlyList<FtpCommand> commands)
    {
        _context = context;
        _mostCommands = context.MostCommands;
        _mostBytes = context.MostUnansweredBytes;
        int[] bytes = [.. commands.Select(context.BytesOf)];
        if (context.EvensLines)
        {
            // A few need no other form, and keep the bounds, as those do that have none.
            if (bytes.Sum() > ControlConnection.ServerBuffer) _even = FtpEvenLines.TryMake(commands, bytes);
            if (_even is null) _mostBytes = ControlConnection.ServerBuffer;
        }
        (_commands, _bytes) = (_even?.Commands ?? commands, _even?.Bytes ?? bytes);
        _replies = new List<FtpReply>(_commands.Count);
        _mostWritten = _even is not null ? FtpEvenLines.LongestWrite
            : _mostBytes == int.MaxValue ? int.MaxValue : Math.Min(context.MostPipelinedBytes, _mostBytes);
    }

    /// <summary>The longest time without a reply; null: as the options say.</summary>
    public TimeSpan? Silence { get; init; }

    /// <summary>
    /// Whether replies hold names of files, which may look like replies: then a fault does not speak against commands sent together.
    /// </summary>
    public bool HoldsNames { get; init; }

    /// <summary>Returns the final replies, in order.</summary>
    public async ValueTask<IReadOnlyList<FtpReply>> RunAsync(CancellationToken ct)
    {
        try
        {
            await SendAllAsync(ct).ConfigureAwait(false);
            while (_open.Count > 0) await TakeAsync(ct).ConfigureAwait(false);
            return _even?.WithoutMarks(_replies) ?? _replies;
        }
        catch (TransferConnectionException e) when (_even is not null && e.Error == TransferError.Timeout)
        {
            _context.LeaveEvenLines(e.Message, mayPass: true);
            throw;
        }
        catch (TransferConnectionException e) when (e.Error == TransferError.Protocol && !HoldsNames)
        {
            _context.DisablePipelining(e.Message);
            throw;
        }
    }

    private async ValueTask SendAllAsync(CancellationToken ct)
    {
        for (var sent = 0; sent < _commands.Count;)
        {
            var (count, bytes) = NextWrite(sent);
            while (_open.Count > 0 && (_open.Count + count > _mostCommands || _openBytes + bytes > _mostBytes))
                await TakeAsync(ct).ConfigureAwait(false);
            var write = _commands.Skip(sent).Take(count).ToArray();
            foreach (var pending in await _context.Control.SendAsync(write, ct).ConfigureAwait(false)) _open.Enqueue(pending);
            _openBytes += bytes;
            sent += count;
        }
    }

    // At least one.
    private (int Count, int Bytes) NextWrite(int start)
    {
        var (end, bytes) = (start + 1, _bytes[start]);
        while (end < _bytes.Count && end - start < _mostCommands / Writes && bytes + _bytes[end] <= _mostWritten) bytes += _bytes[end++];
        return (end - start, bytes);
    }

    private async ValueTask TakeAsync(CancellationToken ct)
    {
        var index = _replies.Count;
        _openBytes -= _bytes[index];
        var reply = await GetReplyAsync(_open.Dequeue(), ct).ConfigureAwait(false);
        _replies.Add(reply);
        if (_even is null || _even.Fits(index, reply)) return;
        // No reply since the last mark is known to be that command's.
        var fault = new TransferConnectionException(TransferError.Lost,
            $"The server answered {_commands[index].Verb} with {reply.Code}: it took several commands for one.")
        { IsTransient = true };
        _context.LeaveEvenLines(fault.Message);
        _context.Control.Break(fault);
        throw fault;
    }

    private async ValueTask<FtpReply> GetReplyAsync(PendingReply pending, CancellationToken ct)
    {
        if (Silence is not { } silence) return await pending.GetFinalReplyAsync(ct).ConfigureAwait(false);
        try
        {
            return await pending.GetFinalReplyAsync(ct).AsTask()
                .WaitAsync(silence, _context.Options.TimeProvider, ct).ConfigureAwait(false);
        }
        catch (TimeoutException e)
        {
            // The reply may have come just at the end of the wait.
            if (pending.IsCompleted) return await pending.GetFinalReplyAsync(ct).ConfigureAwait(false);
            var fault = new TransferConnectionException(TransferError.Timeout,
                $"The server did not answer {pending.Command.Verb} within {silence.TotalSeconds:0.###} s.", e)
            { IsTransient = true };
            _context.Control.Break(fault);
            throw fault;
        }
    }
}
