using System.Net.Sockets;

namespace Transfer.Ftp.Protocol;

/// <summary>
/// How far a peer may run ahead of what was read from a connection. Where only a part of what it sends is wanted, a window that ends with that part
/// stands it still there, so that nothing is under way that would be thrown away. Linux only; elsewhere this does nothing.
/// </summary>
/// <remarks>
/// TCP_WINDOW_CLAMP bounds the window that is advertised from then on. Linux never takes back what it has advertised (RFC 9293 section 3.8.6: a window must not
/// shrink), and its autotuning raises the clamp again as it grows the buffer, so it has to be told again while reading.
/// </remarks>
internal sealed class ReceiveWindow
{
    // IPPROTO_TCP and TCP_WINDOW_CLAMP (linux/tcp.h).
    private const int Tcp = 6;
    private const int WindowClamp = 10;

    // A sender holds back a segment that does not fit whole, and windows are told in steps of up to 16 KiB (RFC 7323 section 2.3: a shift of 14).
    private const int Step = 16 << 10;

    private readonly Socket _socket;
    private readonly int _slack;
    private bool _known = OperatingSystem.IsLinux();

    public ReceiveWindow(Socket socket)
    {
        _socket = socket;
        _slack = (2 * SegmentSize.Of(socket)) + Step;
    }

    /// <summary>The most bytes that may be under way, or null where that can't be told.</summary>
    public int? Most
    {
        get
        {
            if (!_known) return null;
            try
            {
                Span<byte> value = stackalloc byte[sizeof(int)];
                if (_socket.GetRawSocketOption(Tcp, WindowClamp, value) == sizeof(int)) return BitConverter.ToInt32(value);
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                // Not TCP, or gone, which whoever reads from it finds out.
            }
            _known = false;
            return null;
        }
    }

    /// <summary>Ends the window where no more is wanted.</summary>
    /// <param name="wanted">Bytes that are still wanted, of which some may have arrived and wait to be read.</param>
    public void EndAfter(long wanted)
    {
        if (Most is not { } most) return;
        try
        {
            var left = Math.Max(0, wanted - _socket.Available) + _slack;
            if (left < most) _socket.SetRawSocketOption(Tcp, WindowClamp, BitConverter.GetBytes((int)left));
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            _known = false;
        }
    }
}
