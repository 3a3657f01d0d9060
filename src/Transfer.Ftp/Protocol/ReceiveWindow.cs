using System.Net.Sockets;

namespace Transfer.Ftp.Protocol;

/// <summary>
/// The limit of a peer's lead over the bytes read from a connection. Where only a part of a stream is wanted, a window that ends with that
/// part stops the peer there, so that no bytes are sent in vain; a bound of its size keeps several connections even. Linux only; elsewhere
/// without effect.
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

    private const int LeastRaise = 16; // as a part of the limit

    private bool _known = OperatingSystem.IsLinux();
    private int _slack;
    private int _widest; // the limit that the system had chosen; zero: the size was never bounded

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

    /// <summary>Ends the window behind the wanted bytes, and bounds its size.</summary>
    /// <param name="wanted">The number of bytes still wanted, of which some may have arrived already; null: all.</param>
    /// <param name="size">The most bytes that may be under way; null: as many as the system allows.</param>
    public void Limit(long? wanted, int? size)
    {
        if (wanted is null && size is null && _widest == 0 || Most is not { } most) return;
        try
        {
            if (size is not null && _widest == 0) _widest = most;
            var limit = Math.Min(wanted is { } bytes ? BytesLeft(bytes) : long.MaxValue, size ?? int.MaxValue);
            // A bound that grows raises the limit again, in steps that are worth a call of the system.
            var isRaised = _widest > most && Math.Min(limit, _widest) - most > most / LeastRaise;
            if (limit < most || isRaised)
                socket.SetRawSocketOption(Tcp, WindowClamp, BitConverter.GetBytes((int)Math.Min(limit, Math.Max(most, _widest))));
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            _known = false;
        }
    }

    private long BytesLeft(long wanted)
    {
        if (_slack == 0) _slack = (2 * SegmentSize.Of(socket)) + Step;
        return Math.Max(0, wanted - socket.Available) + _slack;
    }
}
