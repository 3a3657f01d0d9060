using System.Globalization;
using Transfer.Ftp.Ladders;
using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// One transfer: the command that announces the data connection, the command that uses it, and the connection itself. The
/// control connection's final reply decides the result, not the data connection.
/// </summary>
internal sealed class FtpExchange : IAsyncDisposable
{
    /// <summary>
    /// The longest wait for the end of a transfer that was given up, before ABOR and again before the session is dropped.
    /// </summary>
    private static readonly TimeSpan MostPatience = TimeSpan.FromSeconds(5);

    private readonly FtpSessionContext _context;
    private readonly FtpDataOpener _opener;
    private readonly FtpDataTicket _ticket;
    private readonly FtpCommand? _announce;
    private readonly FtpCommand? _restart;
    private readonly FtpCommand _command;
    private readonly string _path;
    private readonly bool _sends;
    private readonly bool _isShort;

    private PendingReply? _chosen; // to PRET
    private PendingReply? _announced;
    private PendingReply? _restarted;
    private PendingReply? _transfer;
    private DataConnection? _data;
    private Task _watch = Task.CompletedTask;
    private volatile bool _refused;
    private volatile bool _isUnused;
    private bool _isEarly; // the command was sent before its data connection was open
    private bool _hasBytes;

    /// <param name="context">The session.</param>
    /// <param name="opener">Opens the data connection.</param>
    /// <param name="command">STOR, APPE, RETR or a listing.</param>
    /// <param name="path">The file, for errors.</param>
    /// <param name="sends">Whether this side sends.</param>
    /// <param name="offset">The first byte.</param>
    /// <param name="end">Downloads: the end of a range (exclusive) within a longer file; null: the file's end.</param>
    /// <param name="isShort">Downloads: the file is short and wanted to its end, so the transfer is hardly ever given up.</param>
    public FtpExchange(FtpSessionContext context, FtpDataOpener opener, FtpCommand command, string path, bool sends, long offset = 0,
        long? end = null, bool isShort = false)
    {
        _context = context;
        _opener = opener;
        _command = command;
        _path = path;
        _sends = sends;
        _isShort = isShort;
        _ticket = opener.Announce(sends);
        PreparedFor = _ticket.Ahead?.OpeningTime ?? TimeSpan.Zero;
        _announce = context.Profile.WantsPret ? new FtpCommand("PRET", command.ToString()) : null;
        End = end is not null && context.TakesRanges ? end : null;
        if (End is { } last) _restart = new FtpCommand("RANG", string.Create(CultureInfo.InvariantCulture, $"{offset} {last - 1}"));
        else if (offset > 0 && !command.Is("APPE")) _restart = new FtpCommand("REST", offset.ToString(CultureInfo.InvariantCulture));
    }

    /// <summary>The commands of this transfer, in order; one write may hold them all.</summary>
    public IEnumerable<FtpCommand> Commands
    {
        get
        {
            if (_announce is { } announce) yield return announce;
            if (_ticket.Ahead is null) yield return _ticket.Command;
            if (_restart is { } restart) yield return restart;
            yield return _command;
        }
    }

    /// <summary>The time that a connection opened ahead took before this exchange.</summary>
    public TimeSpan PreparedFor { get; }

    /// <summary>The end (exclusive) of the range that RANG requests; null: no RANG.</summary>
    public long? End { get; }

    /// <summary>Whether the server has announced the beginning: an upload's file is open, and the old content gone.</summary>
    public bool HasBegun => _transfer is { HasBegun: true };

    /// <summary>Whether the final reply is here, or will never come.</summary>
    public bool HasEnded => _transfer is { IsCompleted: true };

    /// <summary>Whether the server ended a listing without its data connection.</summary>
    public bool IsUnused => _isUnused;

    /// <summary>The connection, between <see cref="OpenAsync"/> and <see cref="DisposeAsync"/>.</summary>
    public DataConnection Data => _data ?? throw new InvalidOperationException("The data connection is not open.");

    /// <summary>Sends one transfer's commands, together where the host allows that, and opens the data connection.</summary>
    public static async ValueTask<FtpExchange> StartAsync(FtpSessionContext context, FtpDataOpener opener, FtpCommand command, string path,
        bool sends, CancellationToken ct, long offset = 0)
    {
        while (true)
        {
            if (await TryStartAsync(context, opener, command, path, sends, offset, ct).ConfigureAwait(false) is { } exchange)
                return exchange;
        }
    }

    private static async ValueTask<FtpExchange?> TryStartAsync(FtpSessionContext context, FtpDataOpener opener, FtpCommand command,
        string path, bool sends, long offset, CancellationToken ct)
    {
        var exchange = new FtpExchange(context, opener, command, path, sends, offset);
        try
        {
            if (context.PipeliningOf(sends) != FtpPipelining.Off)
            {
                using var replies = (await context.Control.SendAsync([.. exchange.Commands], ct).ConfigureAwait(false)).GetEnumerator();
                exchange.Attach(replies);
            }
            await exchange.OpenAsync(ct).ConfigureAwait(false);
            return exchange;
        }
        catch (TransferException) when (exchange.RetriesWithOlderForm && context.Control.Usable)
        {
            await exchange.DisposeAsync().ConfigureAwait(false);
            return null;
        }
        catch
        {
            await exchange.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Takes the pending replies of <see cref="Commands"/> that were sent in a batch.</summary>
    public void Attach(IEnumerator<PendingReply> replies)
    {
        if (_announce is not null) _chosen = Next(replies);
        if (_ticket.Ahead is null) _announced = Next(replies);
        if (_restart is not null) _restarted = Next(replies);
        _transfer = Next(replies);
        _isEarly = _ticket is { Ahead: null, Listener: null };
        _watch = WatchAsync();
    }

    /// <summary>Whether only the form of the address or range was refused: another exchange will use the older form.</summary>
    public bool RetriesWithOlderForm { get; private set; }

    /// <summary>Opens the data connection. Commands not sent in a batch are sent step by step.</summary>
    /// <exception cref="TransferException">The server refuses this transfer; the session goes on.</exception>
    public async ValueTask OpenAsync(CancellationToken ct)
    {
        if (_announced is null && _announce is { } announce) _chosen = await SendAsync(announce, ct).ConfigureAwait(false);
        var announced = await GetAnnouncementAsync(ct).ConfigureAwait(false);
        if (!announced.IsSuccess)
        {
            var refusal = await WhyNotChosenAsync(ct).ConfigureAwait(false) ?? _opener.Refusal(_ticket, announced);
            if (_transfer is { } sent && await EndsUnannouncedAsync(sent, ct).ConfigureAwait(false) is null)
            {
                throw Broken(
                    new TransferConnectionException(TransferError.Timeout,
                        $"The server did not end a transfer for which it has no data connection: {refusal.Message}",
                        refusal)
                    { RemotePath = _path });
            }

            RetriesWithOlderForm = _opener.HasOlderForm(_ticket);
            throw refusal;
        }
        // Before the reply to REST is read: Twisted answers nothing behind PASV until the connection is there.
        if (_ticket.Listener is null) _data = await ReachAsync(announced, ct).ConfigureAwait(false);
        if (_restart is { } restart) await RestartAsync(restart, ct).ConfigureAwait(false);
        try
        {
            if (_transfer is null)
            {
                _transfer = await SendAsync(_command, ct).ConfigureAwait(false);
                _watch = WatchAsync();
            }
            if (_ticket.Listener is { } listener) _data = await AcceptAsync(listener, ct).ConfigureAwait(false);
            if (_refused || _isUnused) _data!.Abort();
            if (FtpListingSilence.Suspects(_context, _command, _isEarly))
                _ = new FtpListingSilence(_context, _transfer!, _isEarly, _path, () => _hasBytes).BreakAsync();
            // Sending the ClientHello at once, beside the 150, saves a round trip.
            if (_context.ProtectsData) await _data!.StartTlsAsync(ct).ConfigureAwait(false);
            if (_sends) return;
            if (_context.Profile.EndsByAbor) _data!.KeepWindow();
            await EndEarlyAsync(ct).ConfigureAwait(false);
        }
        catch (TransferException error)
        {
            throw await GetFailureReasonAsync(error, ct).ConfigureAwait(false);
        }
    }

    // Behind a refused PRET, which has the reason, PASV is refused for the lack of one.
    private async ValueTask<TransferException?> WhyNotChosenAsync(CancellationToken ct)
    {
        if (_chosen is not { } pending) return null;
        var reply = await pending.GetFinalReplyAsync(ct).ConfigureAwait(false);
        return reply.Code is < 400 or 500 or 502 ? null : ReplyErrors.ToException(reply, pending.Command, _path, _sends);
    }

    /// <summary>
    /// Awaits the end of a transfer that was sent although its data connection was refused. The transfer gets a refusal too, for
    /// which ProFTPD first tries to connect to this side, until that times out; or it gets no reply (<see cref="ReplyQueue"/>), which the
    /// next reply shows. Where no other reply is pending, PWD brings one.
    /// </summary>
    private async ValueTask<FtpReply?> EndsUnannouncedAsync(PendingReply sent, CancellationToken ct)
    {
        if (_restarted is { } restarted) await TryGetFinalReplyAsync(restarted, ct).ConfigureAwait(false);
        if (_context.Pipelining == FtpPipelining.Batched && !sent.IsCompleted && _context.Control.PendingCount == 1)
            await SendAsync(new FtpCommand("PWD"), ct).ConfigureAwait(false);
        return await TryGetFinalReplyAsync(sent, ct).ConfigureAwait(false);
    }

    private async ValueTask<FtpReply> GetAnnouncementAsync(CancellationToken ct)
    {
        if (_ticket.Ahead is { } ahead) return await ahead.Announced.WaitAsync(ct).ConfigureAwait(false);
        _announced ??= await SendAsync(_ticket.Command, ct).ConfigureAwait(false);
        try
        {
            return await FtpReplyOrder.TakeAsync(_context, _announced, ct).ConfigureAwait(false);
        }
        catch (TransferConnectionException e)
            when (e is { Error: TransferError.Protocol } or { Error: TransferError.Lost, ServerCode: null })
        {
            // Some servers end the session at a command that they do not know.
            _opener.NoteUnreached(_ticket, e);
            throw;
        }
    }

    private async ValueTask<DataConnection> ReachAsync(FtpReply announced, CancellationToken ct)
    {
        try
        {
            return _ticket.Ahead is { } ahead
                ? (await ahead.Connection.WaitAsync(ct).ConfigureAwait(false))!
                : await _opener.ConnectAsync(_ticket, announced, ct).ConfigureAwait(false);
        }
        catch (TransferException error)
        {
            throw await GetFailureReasonAsync(error, ct).ConfigureAwait(false);
        }
    }

    private async ValueTask RestartAsync(FtpCommand restart, CancellationToken ct)
    {
        _restarted ??= await SendAsync(restart, ct).ConfigureAwait(false);
        var reply = await FtpReplyOrder.TakeAsync(_context, _restarted, ct).ConfigureAwait(false);
        if (reply.IsIntermediate) return;
        // Without REST the transfer, if sent already, starts at 0 and must not count.
        if (_transfer is not null) await GiveUpAsync(ct).ConfigureAwait(false);
        if (restart.Is("RANG"))
            RetriesWithOlderForm = _context.Ladders.Ranges.Leave(FtpOffer.Used, $"RANG was answered with {reply.Code}");
        var error = ReplyErrors.ToException(reply, restart, _path, writes: _sends);
        if (!reply.IsPermanentFailure || restart.Is("RANG")) throw error;
        _context.Ladders.Offsets.Leave(FtpOffer.Used, $"REST was answered with {reply.Code}");
        throw new TransferException(TransferError.Unsupported, error.Message) { RemotePath = _path, ServerCode = reply.Code };
    }

    /// <summary>
    /// Reads from the data connection. When that breaks, the end of the session, or a refusal on the control connection, is the reason, and
    /// is thrown.
    /// </summary>
    public async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken ct)
    {
        try
        {
            var count = await Data.ReadAsync(buffer, ct).ConfigureAwait(false);
            _hasBytes |= count > 0;
            return count;
        }
        catch (TransferException error) when (error.Error is TransferError.Lost or TransferError.Integrity)
        {
            if (_isUnused) return 0;
            if (_context.Control.Fault is { } fault) throw fault;
            if (await TryGetFinalReplyAsync(_transfer!, ct).ConfigureAwait(false) is { IsDone: false } reply) throw Refusal(reply);
            throw;
        }
    }

    /// <summary>Waits for the final reply and throws if that is not positive.</summary>
    public async ValueTask FinishAsync(CancellationToken ct)
    {
        var reply = await GetFinalReplyAsync(ct).ConfigureAwait(false);
        if (!reply.IsDone) throw Refusal(reply);
    }

    /// <summary>Waits for the final reply.</summary>
    public async ValueTask<FtpReply> GetFinalReplyAsync(CancellationToken ct)
    {
        // ProFTPD and vsftpd send the 226 of a download only after this side has closed the connection too.
        if (!_sends) await Data.DisposeAsync().ConfigureAwait(false);
        var reply = await FtpReplyOrder.TakeAsync(_context, _transfer!, ct).ConfigureAwait(false);
        if (!reply.IsDone) return reply;
        _context.NoteTransfer(_sends, _isEarly);
        _opener.NoteUsed(_ticket);
        return reply;
    }

    /// <summary>
    /// The error behind a negative final reply. 425 and 522 under TLS 1.3: the server wants TLS sessions resumed; a new session is needed.
    /// </summary>
    public TransferException Refusal(FtpReply reply)
    {
        if (FtpReplyOrder.FindLostCommand(_context, _command, reply) is { } lost) return lost;
        // Twisted takes an early STOR for one without a connection, and breaks it off before its beginning.
        if (this is { _isEarly: true, _sends: true, HasBegun: false, _data: not null }
            && (reply.Code == 426 || reply.Code == 425 && !_context.ProtectsData))
        {
            _context.LeaveEarlyUploads($"{_command.Verb} in front of its data connection was answered with {reply.Code}");
        }
        if (reply.Code is not (425 or 522) || !_context.MayFallBack)
        {
            var error = ReplyErrors.ToException(reply, _command, _path, writes: _sends);
            // A device on the way has taken the connection that the server waits for.
            if (reply.Code == 425 && _data is not null) _opener.NoteUnreached(_ticket, error);
            return error;
        }
        _context.Ladders.DataTls.Leave(FtpTlsRung.Newest, $"{reply.Code}: data connections have to resume the TLS session");
        return new TransferConnectionException(TransferError.Tls,
            $"The server wants data connections to resume the TLS session ({reply.Code}).")
        {
            IsTransient = true,
            ServerCode = reply.Code,
        };
    }

    /// <summary>Ends an unwanted transfer: closes the data connection and waits for the reply, with ABOR if none comes.</summary>
    /// <returns>The final reply.</returns>
    /// <exception cref="TransferConnectionException">The transfer does not end: the session is broken.</exception>
    public async ValueTask<FtpReply> GiveUpAsync(CancellationToken ct)
    {
        // ABOR needs an empty queue behind this transfer: its reply has to be the last.
        var byCommand = EndsByCommand && _context.Control.PendingCount == 1;
        if (!byCommand)
        {
            _data?.Abort();
            if (await TryGetFinalReplyAsync(_transfer!, ct).ConfigureAwait(false) is { } reply) return reply;
        }
        if (byCommand || _context.Control.PendingCount == 1)
        {
            Log.Aborting(_context.Logger);
            var abort = await SendAsync(new FtpCommand("ABOR"), ct).ConfigureAwait(false);
            var skipped = byCommand ? _data!.SkipAsync() : Task.CompletedTask;
            try
            {
                if (await TryGetFinalReplyAsync(_transfer!, ct).ConfigureAwait(false) is { } ended
                    && await TryGetFinalReplyAsync(abort, ct).ConfigureAwait(false) is not null)
                {
                    return ended;
                }
            }
            finally
            {
                _data?.Abort();
                await skipped.ConfigureAwait(false);
            }
        }
        throw Broken(new TransferConnectionException(TransferError.Timeout, "The server did not end a transfer that was given up."));
    }

    /// <summary>Gives up an unwanted transfer after its commands were sent.</summary>
    /// <exception cref="TransferConnectionException">The transfer does not end: the session is broken.</exception>
    public async ValueTask DeclineAsync(CancellationToken ct)
    {
        var announced = await GetAnnouncementAsync(ct).ConfigureAwait(false);
        if (announced.IsSuccess)
        {
            // The server waits for the connection.
            if (_ticket.Listener is null) _data = await ReachAsync(announced, ct).ConfigureAwait(false);
            await GiveUpAsync(ct).ConfigureAwait(false);
        }
        else if (await EndsUnannouncedAsync(_transfer!, ct).ConfigureAwait(false) is null)
        {
            throw Broken(new TransferConnectionException(TransferError.Timeout, "The server did not end a transfer that was given up."));
        }
    }

    public async ValueTask DisposeAsync()
    {
        // Unfinished: an error already decides, or the caller does not want the rest.
        if (_transfer is { IsCompleted: false } && _context.Control.Usable) _data?.Abort();
        if (_data is not null) await _data.DisposeAsync().ConfigureAwait(false);
        await _ticket.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>
    /// Closes this side of a download early, for servers that send 226 only after that and do not mind when: closing at once saves a round
    /// trip. Other servers take an early end for an abort. ProFTPD only checks for incoming bytes and reads none. But it drops the session
    /// when such a connection is reset under TLS, which makes giving up expensive.
    /// </summary>
    private ValueTask EndEarlyAsync(CancellationToken ct) => _context.Profile.Flavor switch
    {
        FtpFlavor.ProFtpd when _isShort || !_context.ProtectsData => Data.CloseWritesAsync(ct),
        FtpFlavor.Vsftpd when _context.ProtectsData => Data.CompleteWritesAsync(ct),
        _ => ValueTask.CompletedTask,
    };

    private bool EndsByCommand => !_sends && _context.Profile.EndsByAbor && _transfer is { IsCompleted: false } && _data is not null;

    private static PendingReply Next(IEnumerator<PendingReply> replies) =>
        replies.MoveNext() ? replies.Current : throw new InvalidOperationException("Fewer replies are waiting than commands were sent.");

    private async ValueTask<PendingReply> SendAsync(FtpCommand command, CancellationToken ct) =>
        (await _context.Control.SendAsync([command], ct).ConfigureAwait(false))[0];

    /// <summary>
    /// Closes the data connection upon a refusal, and where the server does not use the connection: servers leave it open, and reading
    /// would wait for ever.
    /// </summary>
    private async Task WatchAsync()
    {
        try
        {
            var reply = await _transfer!.GetFinalReplyAsync(CancellationToken.None).ConfigureAwait(false);
            if (reply.IsDone)
            {
                if (_sends || !await FtpUnusedConnection.WaitAsync(_context, _transfer, () => _hasBytes).ConfigureAwait(false)) return;
                _isUnused = true;
                _data?.Abort();
                return;
            }
        }
        catch (TransferException)
        {
            // The control connection is lost. Waiters for the reply get the reason; here only the data connection has to end.
        }
        _refused = true;
        _data?.Abort();
    }

    /// <summary>Waits for the server's connection in active mode; a refused command brings none.</summary>
    private async ValueTask<DataConnection> AcceptAsync(ActiveListener listener, CancellationToken ct)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(ct);
        var accept = listener.AcceptAsync(stop.Token).AsTask();
        await Task.WhenAny(accept, _watch).ConfigureAwait(false);
        if (!accept.IsCompleted && _refused) await stop.CancelAsync().ConfigureAwait(false);
        try
        {
            return await accept.ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            throw new TransferException(TransferError.Lost, "The server did not open the data connection.");
        }
    }

    /// <summary>Returns why the data connection failed: the reason of the control connection, if any comes in time.</summary>
    private async ValueTask<TransferException> GetFailureReasonAsync(TransferException error, CancellationToken ct)
    {
        if (error.InnerException is CertificateRefusedException)
        {
            // The server waits for the handshake, and its reply would tell of an end that this side has made.
            _data!.Abort();
            await Task.WhenAny(_watch, Task.Delay(MostPatience, _context.Options.TimeProvider, ct)).ConfigureAwait(false);
            if (!HasEnded) Broken(new TransferConnectionException(error.Error, error.Message));
            return error;
        }
        if (!_context.Control.Usable) return _context.Control.Fault ?? error;
        var reply = _transfer is null ? null : await TryGetFinalReplyAsync(_transfer, ct).ConfigureAwait(false);
        var isUnreached = _data is null && _ticket.Listener is null && reply is not { IsDone: false, Code: not 425 };
        if (isUnreached) _opener.NoteUnreached(_ticket, error);
        RetriesWithOlderForm = (isUnreached || error.Error == TransferError.Protocol) && _opener.HasOlderForm(_ticket);
        if (RetriesWithOlderForm && _transfer is null) return error;
        if (reply is { IsDone: false })
            return RetriesWithOlderForm ? ReplyErrors.ToException(reply, _command, _path, writes: _sends) : Refusal(reply);
        // The server still waits for a connection that will not come, or took the missing connection for an empty file.
        return Broken(new TransferConnectionException(error.Error, $"The data connection failed: {error.Message}", error)
        {
            RemotePath = _path,
            IsTransient = RetriesWithOlderForm || error.IsTransient,
        });
    }

    // Replies can no longer be matched with commands.
    private TransferConnectionException Broken(TransferConnectionException fault)
    {
        _context.Control.Break(fault);
        return fault;
    }

    private async ValueTask<FtpReply?> TryGetFinalReplyAsync(PendingReply pending, CancellationToken ct)
    {
        var patience = _context.Options.IdleTimeout < MostPatience && _context.Options.IdleTimeout > TimeSpan.Zero
            ? _context.Options.IdleTimeout : MostPatience;
        using var limit = new CancellationTokenSource(patience, _context.Options.TimeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, ct);
        try
        {
            return await pending.GetFinalReplyAsync(either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            return null;
        }
    }
}
