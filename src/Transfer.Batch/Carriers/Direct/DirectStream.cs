using System.Net.Security;
using System.Net.Sockets;
using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Dialing;

namespace Transfer.Batch.Carriers.Direct;

/// <summary>The TLS stream of a direct connection, which owns the socket.</summary>
internal sealed class DirectStream : SslStream, IHalfClosing
{
    private static readonly TimeSpan GoodbyeTime = TimeSpan.FromSeconds(1);

    private readonly TlsTransportStream _raw;
    private readonly Socket _socket;
    private readonly TimeProvider _time;

    public DirectStream(Socket socket, TimeProvider time)
        : this(new TlsTransportStream(new SocketStream(socket)), socket, time)
    {
    }

    private DirectStream(TlsTransportStream raw, Socket socket, TimeProvider time)
        : base(raw)
    {
        _raw = raw;
        _socket = socket;
        _time = time;
    }

    /// <summary>
    /// Sends close_notify where possible, and ends the sending in any case. All messages of the link are out by then, and messages mark
    /// their end themselves.
    /// </summary>
    public async ValueTask EndWritesAsync(CancellationToken ct)
    {
        await _raw.SayGoodbyeAsync(this, GoodbyeTime, _time).ConfigureAwait(false);
        _socket.Shutdown(SocketShutdown.Send);
    }
}
