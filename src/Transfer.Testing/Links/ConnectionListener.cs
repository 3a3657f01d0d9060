using System.Net;
using System.Net.Sockets;
using Transfer.Testing.Connections;

namespace Transfer.Testing.Links;

/// <summary>Accepts a server's connections, directly or behind a link, until disposed of.</summary>
internal sealed class ConnectionListener : IAsyncDisposable
{
    private static readonly TimeSpan AcceptPause = TimeSpan.FromMilliseconds(5);

    private readonly Socket _listener;
    private readonly LinkListener? _near;
    private readonly Func<Socket, Task> _serve;
    private readonly TimeProvider _time;
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _accepting;

    /// <param name="address">Where to listen.</param>
    /// <param name="port">The port; 0 takes a free one.</param>
    /// <param name="link">The link in front of the port, or null.</param>
    /// <param name="time">The clock.</param>
    /// <param name="serve">Takes each connection over. Must not throw.</param>
    /// <exception cref="SocketException">The address or port can't be had.</exception>
    public ConnectionListener(IPAddress address, int port, TestLink? link, TimeProvider time, Func<Socket, Task> serve)
    {
        _time = time;
        _serve = serve;
        _listener = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            // Behind a link the server has any free port, and the link has the requested one.
            var asked = new IPEndPoint(address, port);
            var loopback = address.AddressFamily == AddressFamily.InterNetworkV6 ? IPAddress.IPv6Loopback : IPAddress.Loopback;
            _listener.Bind(link is null ? asked : new IPEndPoint(loopback, 0));
            _listener.Listen();
            _near = link?.Listen(asked, _listener.LocalEndPoint!);
        }
        catch
        {
            _listener.Dispose();
            _stop.Dispose();
            throw;
        }

        EndPoint = _near?.EndPoint ?? (IPEndPoint)_listener.LocalEndPoint!;
        _accepting = AcceptAsync();
    }

    /// <summary>Where clients connect to; the link's near end when there is a link.</summary>
    public IPEndPoint EndPoint { get; }

    /// <summary>Connections that are being served.</summary>
    public BackgroundTasks Connections { get; } = new();

    /// <summary>A URL of the server with a scheme.</summary>
    public Uri UriOf(string scheme)
    {
        var address = EndPoint.Address;
        if (address.Equals(IPAddress.Any)) address = IPAddress.Loopback;
        if (address.Equals(IPAddress.IPv6Any)) address = IPAddress.IPv6Loopback;
        return new Uri($"{scheme}://{new IPEndPoint(address, EndPoint.Port)}/");
    }

    /// <summary>Stops listening. Connections go on.</summary>
    public async ValueTask DisposeAsync()
    {
        _near?.Dispose();
        await _stop.CancelAsync().ConfigureAwait(false);
        await _accepting.ConfigureAwait(false);
        _listener.Dispose();
        _stop.Dispose();
    }

    private async Task AcceptAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                Connections.Add(_serve(await _listener.AcceptAsync(_stop.Token).ConfigureAwait(false)));
            }
            catch (OperationCanceledException)
            {
                return;
            }
            catch (SocketException)
            {
                // The client left before it was accepted, or no handles are left; the latter would otherwise fail again at once.
                await Task.Delay(AcceptPause, _time, _stop.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
        }
    }
}
