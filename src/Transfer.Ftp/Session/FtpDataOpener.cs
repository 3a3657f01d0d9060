using System.Net.Sockets;
using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// Announces data connections: chooses the command, opens the next connection ahead, and learns from refusals. Passive: EPSV (RFC 2428),
/// else PASV; active: EPRT, else PORT.
/// </summary>
internal sealed class FtpDataOpener : IAsyncDisposable
{
    private readonly FtpSessionContext _context;
    private readonly FtpPassiveConnector _passive;
    private FtpDataTicket? _ahead;

    /// <param name="context">The session.</param>
    /// <param name="passive">Connects to the address where the server listens.</param>
    /// <param name="ahead">The next transfer's connection, if opened with the log-in.</param>
    public FtpDataOpener(FtpSessionContext context, FtpPassiveConnector passive, FtpDataTicket? ahead)
    {
        _context = context;
        _passive = passive;
        _passive.FollowsAddress = context.Profile.WantsPret;
        _ahead = ahead;
    }

    private bool Active => _context.Options.DataMode == FtpDataMode.Active;

    private bool UsesEpsv => _context.Ladders.DataPort.Rung == FtpDataPort.Epsv;

    private bool TakesEpsv => UsesEpsv && (_context.Host.KnowsEpsv || _context.Profile.Epsv);

    /// <summary>Whether the commands of several transfers may leave together: the server accepts the form of the announcement.</summary>
    public bool OpensInBatches => !Active && !_context.Profile.WantsPret && (TakesEpsv || !UsesEpsv);

    /// <summary>The command that announces a passive connection.</summary>
    public FtpCommand UsualCommand => new(UsesEpsv ? "EPSV" : "PASV");

    /// <summary>Tests EPSV once a host, so that a transfer's command may follow in the same write later.</summary>
    public async ValueTask PrepareAsync(CancellationToken ct)
    {
        var host = _context.Host;
        if (Active || !UsesEpsv || TakesEpsv) return;
        try
        {
            var reply = await _context.ExecuteAsync("EPSV", null, ct).ConfigureAwait(false);
            if (reply.Code == 229)
                host.KnowsEpsv = true;
            else
                LearnEpsvRefusal(new FtpCommand("EPSV"), reply);
        }
        catch (TransferConnectionException e) when (e is { Error: TransferError.Lost, ServerCode: null })
        {
            // Some servers end the session at a command that they do not know.
            _passive.LeaveUnreached(e.Message);
            throw;
        }
    }

    /// <summary>
    /// The command that announces the next transfer's connection before that transfer is known; null where the server may refuse the newer
    /// form or requires PRET, and where a connection is announced already.
    /// </summary>
    public FtpCommand? AheadCommand =>
        !Active && _ahead is null && TakesEpsv && _context.Pipelining == FtpPipelining.Batched && !_context.Profile.WantsPret
        ? new FtpCommand("EPSV") : null;

    /// <summary>Announces and opens the next transfer's connection now, where possible.</summary>
    public void OpenAhead(bool sends)
    {
        if (AheadCommand is { } command) _ahead = _passive.OpenAhead(command, Settings(sends), SendAsync(command));
    }

    /// <summary>Opens the next transfer's connection, which was announced already.</summary>
    public void OpenAhead(bool sends, PendingReply announced) =>
        _ahead = _passive.OpenAhead(announced.Command, Settings(sends), GetAnnouncementAsync(announced));

    private async Task<FtpReply> SendAsync(FtpCommand command) =>
        await GetAnnouncementAsync(
            (await _context.Control.SendAsync([command], CancellationToken.None).ConfigureAwait(false))[0]).ConfigureAwait(false);

    private async Task<FtpReply> GetAnnouncementAsync(PendingReply pending) =>
        await FtpReplyOrder.TakeAsync(_context, pending, CancellationToken.None).ConfigureAwait(false);

    /// <summary>Returns the announcement that goes before the next transfer's command.</summary>
    public FtpDataTicket Announce(bool sends)
    {
        var settings = Settings(sends);
        if (Interlocked.Exchange(ref _ahead, null) is { } ahead)
        {
            if (ahead.Settings == settings && ahead.Ahead!.IsFresh) return ahead;
            _ = ahead.DisposeAsync().AsTask();
        }
        if (!Active) return new FtpDataTicket(UsualCommand, settings, null);
        var active = _context.Options.Active;
        var listener = ActiveListener.Listen(_context.Control, new ActiveSettings
        {
            AnnouncedAddress = active.Address,
            FirstPort = active.FirstPort,
            LastPort = active.LastPort,
        }, settings);
        var command = !UsesEpsv && listener.FallbackCommand is { } port ? port : listener.Command;
        return new FtpDataTicket(command, settings, listener);
    }

    /// <summary>Remembers why a data connection was not announced, and returns the error.</summary>
    public TransferException Refusal(FtpDataTicket ticket, FtpReply reply)
    {
        LearnEpsvRefusal(ticket.Command, reply);
        return ReplyErrors.ToException(reply, ticket.Command);
    }

    /// <summary>Whether a ticket of the newer form was refused, and the next one will be of the older.</summary>
    public bool HasOlderForm(FtpDataTicket ticket) =>
        !UsesEpsv && (ticket.Command.Is("EPSV") || (ticket.Command.Is("EPRT") && ticket.Listener?.FallbackCommand is not null));

    /// <summary>Connects to the address in a positive reply to a passive ticket's command.</summary>
    public ValueTask<DataConnection> ConnectAsync(FtpDataTicket ticket, FtpReply reply, CancellationToken ct) =>
        _passive.ConnectAsync(ticket.Command, ticket.Settings, reply, ct);

    /// <summary>Closes the connection that was opened ahead: no transfer follows.</summary>
    public ValueTask DisposeAsync() => Interlocked.Exchange(ref _ahead, null) is { } ahead ? ahead.DisposeAsync() : ValueTask.CompletedTask;

    /// <summary>A transfer over the connection of a ticket has succeeded.</summary>
    public void NoteUsed(FtpDataTicket ticket)
    {
        if (ticket.Command.Is("EPSV")) _context.Host.ReachesEpsv = true;
    }

    /// <summary>The connection of a ticket could not be opened, or did not reach the server, and there is no other reason.</summary>
    public void NoteUnreached(FtpDataTicket ticket, TransferException error)
    {
        if (ticket.Command.Is("EPSV")) _passive.LeaveUnreached(error.Message);
    }

    private DataSettings Settings(bool sends) => new() { Sends = sends, Deflate = _context.Deflates };

    private void LearnEpsvRefusal(FtpCommand command, FtpReply reply)
    {
        if (!(command.Is("EPSV") || command.Is("EPRT"))) return;
        // 4xx, and answers to something else, are refusals where EPSV has not worked yet.
        var isPermanent = reply.IsPermanentFailure;
        if (!isPermanent && (_context.Host.ReachesEpsv || command.Is("EPRT"))) return;
        // PASV and PORT carry IPv4 addresses only.
        if (_context.Control.RemoteEndPoint.Address is { AddressFamily: AddressFamily.InterNetworkV6, IsIPv4MappedToIPv6: false }) return;
        _context.Ladders.DataPort.Leave(FtpDataPort.Epsv, $"{command.Verb} was answered with {reply.Code}", mayPass: !isPermanent);
    }
}
