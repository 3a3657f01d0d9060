using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Transfer.Sessions;

namespace Transfer.Ftp.Protocol;

/// <summary>Listens for the data connection of one active transfer. Only the control connection's peer is accepted.</summary>
internal sealed class ActiveListener : IAsyncDisposable
{
    private readonly ControlConnection _control;
    private readonly DataSettings _settings;
    private readonly Socket _listener;
    private readonly IdleWatch _watch;

    private ActiveListener(ControlConnection control, DataSettings settings, Socket listener, IPAddress announced)
    {
        _control = control;
        _settings = settings;
        _listener = listener;
        _watch = new IdleWatch(control.Settings.TimeProvider, control.Settings.IdleTimeout, listener.Dispose);
        var port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        var isIPv4 = announced.AddressFamily == AddressFamily.InterNetwork;
        Command = new FtpCommand("EPRT",
            string.Create(CultureInfo.InvariantCulture, $"|{(isIPv4 ? 1 : 2)}|{WithoutScope(announced)}|{port}|"));
        if (isIPv4)
        {
            var address = announced.ToString().Replace('.', ',');
            FallbackCommand = new FtpCommand("PORT", string.Create(CultureInfo.InvariantCulture, $"{address},{port >> 8},{port & 255}"));
        }
    }

    /// <summary>EPRT with the announced address and port (RFC 2428 section 2).</summary>
    public FtpCommand Command { get; }

    /// <summary>PORT with the same address and port (RFC 959 section 4.1.2), for servers without EPRT; null for IPv6.</summary>
    public FtpCommand? FallbackCommand { get; }

    /// <summary>Starts to listen on the control connection's local address.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Unsupported"/>: behind a proxy, or the announced address is of the other family.
    /// <see cref="TransferError.Lost"/> (transient): no port of the range is free.
    /// </exception>
    public static ActiveListener Listen(ControlConnection control, ActiveSettings active, DataSettings settings)
    {
        if (control.Settings.Dial.Proxy is not null)
        {
            throw new TransferException(TransferError.Unsupported,
                "Active mode does not work through a proxy: the server can't reach this side.");
        }

        var local = control.LocalEndPoint.Address;
        var announced = active.AnnouncedAddress ?? local;
        if (announced.AddressFamily != local.AddressFamily)
        {
            throw new TransferException(TransferError.Unsupported,
                $"{announced} can't be announced: the server is connected by {local}, which is of another family.");
        }

        var listener = Bind(local, active.FirstPort, active.FirstPort == 0 ? 0 : Math.Max(active.FirstPort, active.LastPort));
        Log.Listening(control.Settings.Logger, (IPEndPoint)listener.LocalEndPoint!);
        return new ActiveListener(control, settings, listener, announced);
    }

    /// <summary>Waits for the server's connection. Earlier connections of other peers are closed.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Timeout"/>: no connection within the idle time-out.</exception>
    public async ValueTask<DataConnection> AcceptAsync(CancellationToken ct)
    {
        var server = _control.RemoteEndPoint.Address;
        _watch.Begin();
        try
        {
            while (true)
            {
                var socket = await _listener.AcceptAsync(ct).ConfigureAwait(false);
                var from = socket.RemoteEndPoint as IPEndPoint;
                if (from is not null && from.Address.Equals(server))
                {
                    socket.NoDelay = true;
                    return new DataConnection(_control, new DialedConnection(socket), _settings);
                }

                Log.StrangerClosed(_control.Settings.Logger, from);
                socket.Dispose();
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or OperationCanceledException)
        {
            ct.ThrowIfCancellationRequested();
            if (_watch.Expired)
            {
                var limit = _control.Settings.IdleTimeout.TotalSeconds;
                throw new TransferException(TransferError.Timeout, $"The server did not open a data connection within {limit:0.###} s.", e);
            }

            throw new TransferException(TransferError.Lost, "The server's data connection could not be accepted.", e);
        }
        finally
        {
            _watch.End();
        }

    }

    public ValueTask DisposeAsync()
    {
        _watch.Dispose();
        _listener.Dispose();
        return ValueTask.CompletedTask;
    }

    private static Socket Bind(IPAddress address, int first, int last)
    {
        // Sessions of one client share the range: with random starting points, they seldom collide.
        var count = last - first + 1;
        var start = Random.Shared.Next(count);
        for (var i = 0; i < count; i++)
        {
            var listener = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            try
            {
                listener.Bind(new IPEndPoint(address, first + ((start + i) % count)));
                listener.Listen(1);
                return listener;
            }
            catch (SocketException e)
            {
                listener.Dispose();
                if (e.SocketErrorCode != SocketError.AddressAlreadyInUse)
                    throw new TransferException(TransferError.Denied, $"Can't listen for data connections: {e.Message}", e);
            }
        }

        throw new TransferException(TransferError.Lost, $"No port from {first} to {last} is free for data connections.");
    }

    private static IPAddress WithoutScope(IPAddress address) =>
        address.AddressFamily == AddressFamily.InterNetworkV6 ? new IPAddress(address.GetAddressBytes()) : address;
}
