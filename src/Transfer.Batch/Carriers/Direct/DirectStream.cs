using System.Net.Sockets;
using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Sessions;

namespace Transfer.Batch.Carriers.Direct;

/// <summary>The TLS stream of a direct connection, which owns the socket.</summary>
internal sealed class DirectStream : TlsStream, IHalfClosing
{
    private static readonly TimeSpan GoodbyeTime = TimeSpan.FromSeconds(1);

    private readonly Socket _socket;
    private readonly TimeProvider _time;

    public DirectStream(DialedConnection connection, TimeProvider time)
        : base(connection.Stream)
    {
        _socket = connection.Socket;
        _time = time;
    }

    /// <summary>
    /// Sends close_notify where possible, and ends the sending in any case. All messages of the link are out by then, and messages mark
    /// their end themselves.
    /// </summary>
    public async ValueTask EndWritesAsync(CancellationToken ct)
    {
        await TrySendCloseNotifyAsync(GoodbyeTime, _time).ConfigureAwait(false);
        _socket.Shutdown(SocketShutdown.Send);
    }
}
