using System.Buffers;
using System.Numerics;

namespace Transfer.Ftp.Session;

/// <summary>
/// Buffers for contents, of a size that gives each session of a client two of them without waiting for another session. Thread-safe.
/// </summary>
internal sealed class FtpBuffers
{
    private const int MostSize = 256 * 1024;
    private const int LeastSize = 4096;
    private const int EachSession = 2;

    private long _used;
    private long _peak;

    /// <param name="options">The options of the client.</param>
    public FtpBuffers(FtpOptions options)
    {
        // An eighth is for the engine's reading ahead; the conversion of line ends takes a buffer more.
        var all = options.MaxBufferBytes - options.MaxBufferBytes / 8;
        var sessions = options.MaxSessionsForSmallFiles ?? options.MaxSessions;
        var share = all / sessions / (options.TransferType == FtpTransferType.Ascii ? 2 * EachSession : EachSession);
        Size = (int)Math.Clamp(1L << BitOperations.Log2((ulong)share), LeastSize, MostSize);
    }

    /// <summary>The size of each buffer, in bytes.</summary>
    public int Size { get; }

    /// <summary>The most bytes that were in use at once.</summary>
    public long Peak => Interlocked.Read(ref _peak);

    public byte[] Rent()
    {
        var used = Interlocked.Add(ref _used, Size);
        for (var peak = Peak; used > peak;)
        {
            var seen = Interlocked.CompareExchange(ref _peak, used, peak);
            if (seen == peak) break;
            peak = seen;
        }
        return ArrayPool<byte>.Shared.Rent(Size);
    }

    public void Return(byte[] buffer)
    {
        Interlocked.Add(ref _used, -Size);
        ArrayPool<byte>.Shared.Return(buffer);
    }
}
