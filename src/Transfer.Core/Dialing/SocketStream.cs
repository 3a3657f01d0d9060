using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace Transfer.Dialing;

/// <summary>
/// A connection's bytes, with the send buffer kept full where the buffer bounds the rate (Linux, long paths). The kernel wakes a waiting
/// sender only when a third of the buffer is free: with a whole buffer in flight, between two thirds and all of the buffer are sent each
/// round trip. Here the sender then looks for room every few milliseconds. One writer at a time.
/// </summary>
internal sealed class SocketStream : NetworkStream
{
    // send(2): at once or not at all, and no signal.
    private const int AtOnce = 0x40 | 0x4000;

    // tcp(7), ioctls: bytes not acknowledged, and the part of those that is not sent yet.
    private const nuint Unacknowledged = 0x5411;
    private const nuint Unsent = 0x894B;

    // At 500 Mbit/s, 2 ms are a hundredth of the buffer that Linux gives. When the peer acknowledges nothing for longer than the sum of the
    // pauses, the kernel wakes the sender.
    private static readonly TimeSpan ShortestPause = TimeSpan.FromMilliseconds(2);
    private static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(64);

    private readonly Func<bool>? _isBound;

    /// <summary>Creates a stream over a connected socket, and owns the socket.</summary>
    public SocketStream(Socket socket)
        : base(socket, ownsSocket: true)
    {
    }

    /// <param name="socket">The socket.</param>
    /// <param name="isBound">Whether the send buffer bounds the rate, instead of the kernel's word: for tests.</param>
    public SocketStream(Socket socket, Func<bool> isBound)
        : this(socket) => _isBound = isBound;

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (!OperatingSystem.IsLinux() || buffer.IsEmpty || cancellationToken.IsCancellationRequested)
            return base.WriteAsync(buffer, cancellationToken);
        var sent = Send(buffer.Span);
        return sent == buffer.Length ? default : WriteRestAsync(buffer[sent..], cancellationToken);
    }

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    private async ValueTask WriteRestAsync(ReadOnlyMemory<byte> rest, CancellationToken ct)
    {
        for (var pause = ShortestPause; pause <= LongestPause && IsBoundByBuffer();)
        {
            await Task.Delay(pause, ct).ConfigureAwait(false);
            var sent = Send(rest.Span);
            rest = rest[sent..];
            if (rest.IsEmpty) return;
            pause = sent > 0 ? ShortestPause : 2 * pause;
        }
        // Also where sending fails: this call reports why.
        await base.WriteAsync(rest, ct).ConfigureAwait(false);
    }

    private int Send(ReadOnlySpan<byte> bytes)
    {
        if (Socket.SafeHandle.IsClosed) return 0;
        return (int)Math.Max(0, Send(Socket.SafeHandle, in MemoryMarshal.GetReference(bytes), (nuint)bytes.Length, AtOnce));
    }

    // With more than a third of the queue unsent, the sender waits for the path, and the kernel wakes the sender in time.
    private bool IsBoundByBuffer()
    {
        if (_isBound is not null) return _isBound();
        if (Socket.SafeHandle.IsClosed || TcpRoundTrip.Of(Socket) is not { } roundTrip || roundTrip < CongestionPolicy.LongRoundTrip)
            return false;
        return ReadQueueLength(Socket.SafeHandle, Unacknowledged, out var queued) == 0
            && ReadQueueLength(Socket.SafeHandle, Unsent, out var unsent) == 0 && 3L * unsent < queued;
    }

    [DllImport("libc", EntryPoint = "send")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern nint Send(SafeSocketHandle socket, in byte bytes, nuint length, int flags);

    [DllImport("libc", EntryPoint = "ioctl")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int ReadQueueLength(SafeSocketHandle socket, nuint request, out int answer);
}
