using System.Net;
using System.Net.Sockets;
using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>Turns replies to EPSV (RFC 2428) and PASV into data connections. Needs only the host, so works during the log-in.</summary>
internal sealed class FtpPassiveConnector
{
    private readonly ControlConnection _control;
    private readonly FtpHostState _host;
    private readonly TimeProvider _time;

    public FtpPassiveConnector(ControlConnection control, FtpHostState host, TimeProvider time)
    {
        _control = control;
        _host = host;
        _time = time;
    }

    /// <summary>Opens a connection as soon as announced, before its transfer is known.</summary>
    public FtpDataTicket OpenAhead(FtpCommand command, DataSettings settings, Task<FtpReply> announced) =>
        new(command, settings, null) { Ahead = new FtpDataAhead(announced, (reply, ct) => ConnectAsync(command, settings, reply, ct), _time) };

    /// <summary>Connects to the address in a positive reply.</summary>
    public ValueTask<DataConnection> ConnectAsync(FtpCommand command, DataSettings settings, FtpReply reply, CancellationToken ct)
    {
        int port;
        string host;
        // Behind a proxy the peer's address is the proxy's, so the proxy gets the name again.
        var peerHost = _control.Settings.Dial.Proxy is null ? _control.RemoteEndPoint.Address.ToString() : _control.Settings.Host;
        if (command.Is("EPSV"))
        {
            if (!PassiveReply.TryParseEpsv(reply, out port))
            {
                if (_control.RemoteEndPoint.Address.AddressFamily == AddressFamily.InterNetwork) _host.NoEpsv = true;
                throw Malformed(command);
            }
            host = peerHost;
            _host.KnowsEpsv = true;
        }
        else
        {
            if (!PassiveReply.TryParsePasv(reply, out var announced)) throw Malformed(command);
            var fixedUp = _control.Settings.Dial.Proxy is null ? PassiveReply.Fix(announced, _control.RemoteEndPoint) : new IPEndPoint(IPAddress.None, announced.Port);
            (host, port) = (fixedUp.Address.Equals(IPAddress.None) ? peerHost : fixedUp.Address.ToString(), fixedUp.Port);
        }
        return DataConnection.ConnectAsync(_control, host, port, settings, ct);
    }

    private static TransferConnectionException Malformed(FtpCommand command) =>
        new(TransferError.Protocol, $"The reply to {command.Verb} names no port.");
}
