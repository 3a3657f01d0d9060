using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Sessions;

namespace Transfer.Dialing;

/// <summary>Connects one socket to one address and measures the time.</summary>
internal sealed class SocketConnector
{
    private readonly SocketTuning _tuning;
    private readonly INetwork _network;
    private readonly ILogger _logger;
    private readonly TimeProvider _time;

    public SocketConnector(SocketTuning tuning, INetwork network, ILogger logger, TimeProvider time)
    {
        _tuning = tuning;
        _network = network;
        _logger = logger;
        _time = time;
    }

    public async ValueTask<DialedConnection> ConnectAsync(IPEndPoint endPoint, DialHints hints, CancellationToken ct)
    {
        var socket = _tuning.Create(endPoint.AddressFamily, hints);
        try
        {
            var start = _time.GetTimestamp();
            await _network.ConnectAsync(socket, endPoint, ct).ConfigureAwait(false);
            return new DialedConnection(socket, TcpRoundTrip.Of(socket) ?? _time.GetElapsedTime(start));
        }
        catch (Exception e)
        {
            socket.Dispose();
            if (e is SocketException) Log.AttemptFailed(_logger, endPoint, e.Message);
            throw;
        }
    }
}
