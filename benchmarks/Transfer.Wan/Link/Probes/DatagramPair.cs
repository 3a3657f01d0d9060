using System.Net;
using System.Net.Sockets;

namespace Transfer.Wan.Link.Probes;

/// <summary>
/// Two UDP sockets for one way of a link: what <see cref="Sender"/> sends comes to <see cref="Receiver"/>, if it comes. Both ends have the
/// same clock.
/// </summary>
internal sealed class DatagramPair : IDisposable
{
    private const int SocketLevel = 1;
    private const int ForcedReceiveBuffer = 33;
    private const int ReceiveBuffer = 32 << 20;

    public DatagramPair(LinkEnd from, LinkEnd to)
    {
        Receiver = Bound(to);
        // As root the buffer may be larger than the system's limit; as root of a user namespace it stays at that.
        try
        {
            Receiver.SetRawSocketOption(SocketLevel, ForcedReceiveBuffer, BitConverter.GetBytes(ReceiveBuffer));
        }
        catch (SocketException error) when (error.SocketErrorCode == SocketError.AccessDenied)
        {
            Receiver.ReceiveBufferSize = ReceiveBuffer;
        }

        Sender = Bound(from);
        Sender.Connect(Receiver.LocalEndPoint!);
    }

    public Socket Sender { get; }

    public Socket Receiver { get; }

    /// <summary>
    /// Receives on a thread of its own until nothing came for a while; what was received goes to <paramref name="each"/> by its bytes.
    /// </summary>
    /// <param name="each">Called for every datagram, with the time of its arrival.</param>
    /// <param name="quiet">How long nothing comes when all has come.</param>
    public Task ReceiveAsync(Action<ReadOnlySpan<byte>> each, TimeSpan quiet) => Task.Factory.StartNew(
        () =>
        {
            Span<byte> buffer = stackalloc byte[2048];
            Receiver.ReceiveTimeout = (int)quiet.TotalMilliseconds;
            while (true)
            {
                try
                {
                    each(buffer[..Receiver.Receive(buffer)]);
                }
                catch (SocketException end) when (end.SocketErrorCode is SocketError.TimedOut or SocketError.WouldBlock)
                {
                    return;
                }
            }
        },
        CancellationToken.None,
        TaskCreationOptions.LongRunning,
        TaskScheduler.Default);

    public void Dispose()
    {
        Sender.Dispose();
        Receiver.Dispose();
    }

    private static Socket Bound(LinkEnd end)
    {
        var socket = end.Inside(() => new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp));
        socket.Bind(new IPEndPoint(end.Address, 0));
        return socket;
    }
}
