using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Transfer.Sessions;

namespace Transfer.Cli.Host;

/// <summary>
/// Standard output for data. The platform's stream takes a pipe whose reader has gone for a success (it swallows EPIPE), so
/// that <c>transfer cat big | head</c> would fetch all of it; this one asks the pipe and stops.
/// </summary>
internal sealed partial class DataOutput(Stream inner, Action closed) : SequentialStream
{
    private bool _closed;

    public override bool CanWrite => true;

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        await inner.WriteAsync(buffer, cancellationToken);
        Check();
    }

    public override void Write(byte[] buffer, int offset, int count)
    {
        inner.Write(buffer, offset, count);
        Check();
    }

    public override void Flush() => inner.Flush();

    public override Task FlushAsync(CancellationToken cancellationToken) => inner.FlushAsync(cancellationToken);

    private void Check()
    {
        if (!_closed && !OperatingSystem.IsWindows() && HasNoReader())
        {
            _closed = true;
            closed();
        }

        if (_closed) throw new IOException("Nobody reads standard output any more.");
    }

    [UnsupportedOSPlatform("windows")]
    private static bool HasNoReader()
    {
        const short PollError = 0x0008;
        const short PollHangUp = 0x0010;
        var descriptor = new PollDescriptor { Descriptor = 1 };
        return Poll(ref descriptor, 1, 0) > 0 && (descriptor.Found & (PollError | PollHangUp)) != 0;
    }

    [LibraryImport("libc", EntryPoint = "poll")]
    private static partial int Poll(ref PollDescriptor descriptors, nuint count, int milliseconds);

    /// <summary>struct pollfd (IEEE 1003.1, poll.h). Errors and hang-ups are told without being asked for.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct PollDescriptor
    {
        public int Descriptor;
        public short Asked;
        public short Found;
    }
}
