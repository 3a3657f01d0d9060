using System.Net.Sockets;
using Transfer.Ftp.Ladders;
using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>Turns replies to EPSV (RFC 2428) and PASV into data connections. Needs only the host, so works during the log-in.</summary>
internal sealed class FtpPassiveConnector
{
    private readonly ControlConnection _control;
    private readonly FtpHostState _host;
    private readonly FtpLadders _ladders;
    private readonly FtpOptions _options;

    public FtpPassiveConnector(ControlConnection control, FtpHostState host, FtpLadders ladders, FtpOptions options)
    {
        _control = control;
        _host = host;
        _ladders = ladders;
        _options = options;
    }

    /// <summary>Opens a connection as soon as announced, before its transfer is known.</summary>
    public FtpDataTicket OpenAhead(FtpCommand command, DataSettings settings, Task<FtpReply> announced) =>
        new(command, settings,
            null)
        { Ahead = new FtpDataAhead(announced, (reply, ct) => ConnectAsync(command, settings, reply, ct), _options.TimeProvider) };

    /// <summary>Connects to the address in a positive reply.</summary>
    public ValueTask<DataConnection> ConnectAsync(FtpCommand command, DataSettings settings, FtpReply reply, CancellationToken ct) =>
        command.Is("EPSV") ? ConnectEpsvAsync(command, settings, reply, ct) : ConnectPasvAsync(command, settings, reply, ct);

    /// <summary>The server chooses another machine for each transfer (PRET): the address that PASV names counts.</summary>
    public bool FollowsAddress { get; set; }

    /// <summary>
    /// Leaves EPSV for PASV where nothing was ever moved over a port of EPSV: a firewall that reads PASV opens the ports that it sees
    /// there, and no other.
    /// </summary>
    public void LeaveUnreached(string reason)
    {
        if (MayFall) _ladders.DataPort.Leave(FtpDataPort.Epsv, reason, mayPass: true);
    }

    private bool MayFall => !_host.ReachesEpsv && MayUsePasv;

    // Behind a proxy the peer's address is the proxy's, so the proxy gets the name again.
    private bool IsBehindProxy => _control.Settings.Dial.Proxy is not null;

    private string PeerHost => IsBehindProxy ? _control.Settings.Host : _control.RemoteEndPoint.Address.ToString();

    // PASV names IPv4 addresses only.
    private bool MayUsePasv => _control.RemoteEndPoint.Address.AddressFamily == AddressFamily.InterNetwork;

    private async ValueTask<DataConnection> ConnectEpsvAsync(
        FtpCommand command, DataSettings settings, FtpReply reply, CancellationToken ct)
    {
        if (!PassiveReply.TryParseEpsv(reply, out var port))
        {
            if (MayUsePasv) _ladders.DataPort.Leave(FtpDataPort.Epsv, "the reply to EPSV names no port");
            throw Malformed(command);
        }
        _host.KnowsEpsv = true;
        return await DataConnection.ConnectAsync(
            _control, PeerHost, port, settings, MayFall ? FtpSilence.Of(_control.RoundTrip) : null, ct).ConfigureAwait(false);
    }

    private async ValueTask<DataConnection> ConnectPasvAsync(
        FtpCommand command, DataSettings settings, FtpReply reply, CancellationToken ct)
    {
        if (!PassiveReply.TryParsePasv(reply, out var announced)) throw Malformed(command);
        var host = _options.Compatibility.TrustsPassiveAddress ? announced.Address.ToString()
            : IsBehindProxy ? PeerHost
            : (FollowsAddress
                ? PassiveReply.Follow(announced, _control.RemoteEndPoint) : PassiveReply.Fix(announced,
                    _control.RemoteEndPoint)).Address.ToString();
        try
        {
            var connection = await DataConnection.ConnectAsync(_control, host, announced.Port, settings, null, ct).ConfigureAwait(false);
            _ladders.DataPort.Prove();
            return connection;
        }
        catch (TransferException e) when (!IsBehindProxy && host != announced.Address.ToString())
        {
            throw e.WithMessage($"{e.Message.TrimEnd('.')}. PASV names {announced.Address}, of which only the port counts: --trust-pasv "
                + "(FtpCompatibility.TrustsPassiveAddress) follows the address.");
        }
    }

    private static TransferConnectionException Malformed(FtpCommand command) =>
        new(TransferError.Protocol, $"The reply to {command.Verb} names no port.");
}
