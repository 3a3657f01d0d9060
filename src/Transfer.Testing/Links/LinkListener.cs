using System.Net;
using System.Net.Sockets;

namespace Transfer.Testing.Links;

/// <summary>A near end of a link, for one target.</summary>
internal sealed class LinkListener : IDisposable
{
    private readonly Socket _socket;

    public LinkListener(TestLink link, IPEndPoint listen, EndPoint target)
    {
        _socket = new Socket(listen.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            _socket.Bind(listen);
            _socket.Listen();
        }
        catch
        {
            _socket.Dispose();
            throw;
        }

        EndPoint = (IPEndPoint)_socket.LocalEndPoint!;
        Accepting = AcceptAsync(link, target);
    }

    public IPEndPoint EndPoint { get; }

    /// <summary>Completes when the listener is disposed of.</summary>
    public Task Accepting { get; }

    /// <summary>Stops accepting connections; existing ones live on.</summary>
    public void Dispose() => _socket.Dispose();

    private async Task AcceptAsync(TestLink link, EndPoint target)
    {
        while (true)
        {
            try
            {
                link.Carry(await _socket.AcceptAsync().ConfigureAwait(false), target);
            }
            catch (Exception e) when (e is ObjectDisposedException or SocketException { SocketErrorCode: SocketError.OperationAborted })
            {
                return;
            }
            catch (SocketException)
            {
                // The connecting side left before it was accepted; the next one may be waiting already.
            }
        }
    }
}
