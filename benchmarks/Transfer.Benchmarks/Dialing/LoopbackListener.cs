using System.Net;
using System.Net.Sockets;

namespace Transfer.Benchmarks.Dialing;

/// <summary>Accepts connections on loopback and gives each to a handler; the handler's end closes it.</summary>
internal sealed class LoopbackListener : IDisposable
{
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly Func<Socket, Task> _handle;

    /// <param name="handle">What is done with a connection; null: it is closed.</param>
    /// <param name="receiveBuffer">The receive buffer of accepted sockets; null: the system's choice.</param>
    public LoopbackListener(Func<Socket, Task>? handle = null, int? receiveBuffer = null)
    {
        _handle = handle ?? (_ => Task.CompletedTask);
        if (receiveBuffer is { } size) _listener.ReceiveBufferSize = size;
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen();
        _ = AcceptAsync();
    }

    public IPEndPoint EndPoint => (IPEndPoint)_listener.LocalEndPoint!;

    public void Dispose() => _listener.Dispose();

    private async Task AcceptAsync()
    {
        while (true)
        {
            try
            {
                _ = HandleAsync(await _listener.AcceptAsync());
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                return;
            }
        }
    }

    private async Task HandleAsync(Socket socket)
    {
        using (socket) await _handle(socket);
    }
}
