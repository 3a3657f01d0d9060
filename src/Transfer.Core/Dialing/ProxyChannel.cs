using System.Net.Sockets;

namespace Transfer.Dialing;

/// <summary>
/// The bytes of a proxy handshake. Reads exactly the bytes of the handshake and keeps none: the first bytes of the server at the far end
/// may follow the proxy's reply in the same segment, and belong to the caller.
/// </summary>
internal readonly struct ProxyChannel
{
    private readonly Socket _socket;
    private readonly string _proxy;

    public ProxyChannel(Socket socket, string proxy)
    {
        _socket = socket;
        _proxy = proxy;
    }

    public async ValueTask SendAsync(ReadOnlyMemory<byte> data, CancellationToken ct)
    {
        try
        {
            while (data.Length > 0)
            {
                data = data[await _socket.SendAsync(data, ct).ConfigureAwait(false)..];
            }
        }
        catch (SocketException e)
        {
            throw CreateError(TransferError.Lost, $"was lost: {e.Message}", e);
        }
    }

    /// <summary>Fills the whole buffer.</summary>
    public async ValueTask ReceiveAsync(Memory<byte> buffer, CancellationToken ct)
    {
        try
        {
            while (buffer.Length > 0)
            {
                var count = await _socket.ReceiveAsync(buffer, ct).ConfigureAwait(false);
                if (count == 0) throw CreateError(TransferError.Lost, "closed the connection in the middle of the handshake.");
                buffer = buffer[count..];
            }
        }
        catch (SocketException e)
        {
            throw CreateError(TransferError.Lost, $"was lost: {e.Message}", e);
        }
    }

    /// <summary>An error that begins with the proxy's name.</summary>
    public TransferConnectionException CreateError(TransferError error, string what, Exception? cause = null) =>
        new(error, $"The proxy {_proxy} {what}", cause);
}
