using System.Net.Sockets;

namespace Transfer.Ftp.Protocol;

/// <summary>
/// The limit of a peer's lead over the bytes read from a connection. Where only a part of a stream is wanted, a window that ends with that
/// part stops the peer there, so that no bytes are sent in vain. Linux only; elsewhere without effect.
/// </summary>
/// <remarks>
/// TCP_WINDOW_CLAMP bounds the windows advertised from then on. Linux never takes an advertised window back (RFC 9293 section 3.8.6: a
/// window must not shrink), and autotuning raises the clamp again as the buffer grows, so the clamp has to be set again while reading.
/// </remarks>
internal sealed class ReceiveWindow(Socket socket)
{
    // IPPROTO_TCP and TCP_WINDOW_CLAMP (linux/tcp.h).
    private const int Tcp = 6;
    private const int WindowClamp = 10;

    // A sender holds back a segment that does not fit whole, and windows come in steps of up to 16 KiB (RFC 7323 section 2.3: a shift of
    // 14).
    private const int Step = 16 << 10;

    private bool _known = OperatingSystem.IsLinux();
    private int _slack;

    /// <summary>The most bytes that may be under way, or null where unknown.</summary>
    public int? Most
    {
        get
        {
            if (!_known) return null;
            try
            {
                Span<byte> value = stackalloc byte[sizeof(int)];
                if (socket.GetRawSocketOption(Tcp, WindowClamp, value) == sizeof(int)) return BitConverter.ToInt32(value);
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                // Not TCP, or gone, which the next read will show.
            }
            _known = false;
            return null;
        }
    }

    /// <summary>Ends the window behind the wanted bytes.</summary>
    /// <param name="wanted">The number of bytes still wanted, of which some may have arrived already.</param>
    public void CloseAfter(long wanted)
    {
        if (Most is not { } most) return;
        try
        {
            if (_slack == 0) _slack = (2 * SegmentSize.Of(socket)) + Step;
            var left = Math.Max(0, wanted - socket.Available) + _slack;
            if (left < most) socket.SetRawSocketOption(Tcp, WindowClamp, BitConverter.GetBytes((int)left));
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            _known = false;
        }
    }
}
