using System.Net;
using System.Net.Sockets;
using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// Opens data connections: tells which command announces one, and turns its reply into a connection. Passive: EPSV (RFC 2428),
/// else PASV; active: EPRT, else PORT.
/// </summary>
internal sealed class FtpDataOpener : IAsyncDisposable
{
    private readonly FtpSessionContext _context;
    private FtpDataTicket? _ahead;

    public FtpDataOpener(FtpSessionContext context) => _context = context;

    private bool Active => _context.Options.DataMode == FtpDataMode.Active;

    private bool TakesEpsv => !_context.Host.NoEpsv && (_context.Host.KnowsEpsv || _context.Profile.Epsv);

    /// <summary>Finds out, once a host, whether EPSV works, so that it may then be sent with a transfer's command behind it.</summary>
    public async ValueTask PrepareAsync(CancellationToken ct)
    {
        var host = _context.Host;
        if (Active || host.NoEpsv || TakesEpsv) return;
        var reply = await _context.ExecuteAsync("EPSV", null, ct).ConfigureAwait(false);
        if (reply.IsSuccess)
            host.KnowsEpsv = true;
        else
            RefuseEpsv(new FtpCommand("EPSV"), reply);
    }

    /// <summary>
    /// What announces the next transfer's connection before that is known; null where the server may not take the newer form or wants to know what for,
    /// and where one is announced already.
    /// </summary>
    public FtpCommand? AheadCommand =>
        !Active && _ahead is null && TakesEpsv && _context.Pipelining == FtpPipelining.Batched && !_context.Profile.WantsPret ? new FtpCommand("EPSV") : null;

    /// <summary>Announces and opens the next transfer's connection already now, where it can be.</summary>
    public void GetReady(bool sends)
    {
        if (AheadCommand is { } command) OpenAhead(sends, command, SendAsync(command));
    }

    /// <summary>Opens the next transfer's connection, which was announced already.</summary>
    public void GetReady(bool sends, PendingReply announced) => OpenAhead(sends, announced.Command, AnnouncedAsync(announced));

    private void OpenAhead(bool sends, FtpCommand command, Task<FtpReply> announced)
    {
        var settings = Settings(sends);
        _ahead = new FtpDataTicket(command, settings, null) { Ahead = new FtpDataAhead(announced, (reply, ct) => ConnectAsync(command, settings, reply, ct), _context.Options.TimeProvider) };
    }

    private async Task<FtpReply> SendAsync(FtpCommand command) =>
        await AnnouncedAsync((await _context.Control.SendAsync([command], CancellationToken.None).ConfigureAwait(false))[0]).ConfigureAwait(false);

    private async Task<FtpReply> AnnouncedAsync(PendingReply pending) =>
        FtpReplyOrder.Check(_context, pending, await pending.FinalAsync(CancellationToken.None).ConfigureAwait(false));

    /// <summary>What has to be sent before the next transfer's command.</summary>
    public FtpDataTicket Announce(bool sends)
    {
        var settings = Settings(sends);
        if (Interlocked.Exchange(ref _ahead, null) is { } ahead)
        {
            if (ahead.Settings == settings && ahead.Ahead!.IsFresh) return ahead;
            _ = ahead.DisposeAsync().AsTask();
        }
        if (!Active) return new FtpDataTicket(new FtpCommand(_context.Host.NoEpsv ? "PASV" : "EPSV"), settings, null);
        var active = _context.Options.Active;
        var listener = ActiveListener.Listen(_context.Control, new ActiveSettings
        {
            AnnouncedAddress = active.Address,
            FirstPort = active.FirstPort,
            LastPort = active.LastPort,
        }, settings);
        var command = _context.Host.NoEpsv && listener.FallbackCommand is { } port ? port : listener.Command;
        return new FtpDataTicket(command, settings, listener);
    }

    /// <summary>Remembers and tells why a data connection was not announced.</summary>
    public TransferException Refusal(FtpDataTicket ticket, FtpReply reply)
    {
        RefuseEpsv(ticket.Command, reply);
        return ReplyErrors.ToException(reply, ticket.Command);
    }

    /// <summary>A ticket of the newer form was refused, and the next one will be of the older.</summary>
    public bool HasOlderForm(FtpDataTicket ticket) => _context.Host.NoEpsv && (ticket.Command.Is("EPSV") || (ticket.Command.Is("EPRT") && ticket.Listener?.FallbackCommand is not null));

    /// <summary>Connects to where a positive reply to a passive ticket's command points.</summary>
    public ValueTask<DataConnection> ConnectAsync(FtpDataTicket ticket, FtpReply reply, CancellationToken ct) => ConnectAsync(ticket.Command, ticket.Settings, reply, ct);

    private ValueTask<DataConnection> ConnectAsync(FtpCommand command, DataSettings settings, FtpReply reply, CancellationToken ct)
    {
        var control = _context.Control;
        int port;
        string host;
        // Behind a proxy the peer's address is the proxy's: the name goes to it again.
        var peerHost = control.Settings.Dial.Proxy is null ? control.RemoteEndPoint.Address.ToString() : control.Settings.Host;
        if (command.Is("EPSV"))
        {
            if (!PassiveReply.TryParseEpsv(reply, out port))
            {
                if (control.RemoteEndPoint.Address.AddressFamily == AddressFamily.InterNetwork) _context.Host.NoEpsv = true;
                throw Malformed(command);
            }
            host = peerHost;
            _context.Host.KnowsEpsv = true;
        }
        else
        {
            if (!PassiveReply.TryParsePasv(reply, out var announced)) throw Malformed(command);
            var fixedUp = control.Settings.Dial.Proxy is null ? PassiveReply.Fix(announced, control.RemoteEndPoint) : new IPEndPoint(IPAddress.None, announced.Port);
            (host, port) = (fixedUp.Address.Equals(IPAddress.None) ? peerHost : fixedUp.Address.ToString(), fixedUp.Port);
        }
        return DataConnection.ConnectAsync(control, host, port, settings, ct);
    }

    /// <summary>Nothing comes next: closes what was opened for it.</summary>
    public ValueTask DisposeAsync() => Interlocked.Exchange(ref _ahead, null) is { } ahead ? ahead.DisposeAsync() : ValueTask.CompletedTask;

    private DataSettings Settings(bool sends) => new() { Sends = sends, Deflate = _context.Deflates };

    private void RefuseEpsv(FtpCommand command, FtpReply reply)
    {
        if (!reply.IsPermanentFailure || !(command.Is("EPSV") || command.Is("EPRT"))) return;
        // PASV and PORT can say IPv4 addresses only.
        if (_context.Control.RemoteEndPoint.Address is { AddressFamily: AddressFamily.InterNetworkV6, IsIPv4MappedToIPv6: false }) return;
        _context.Host.NoEpsv = true;
        Log.ExtendedAddressRefused(_context.Logger, command.Verb, reply.Code);
    }

    private static TransferConnectionException Malformed(FtpCommand command) =>
        new(TransferError.Protocol, $"The reply to {command.Verb} names no port.");
}
