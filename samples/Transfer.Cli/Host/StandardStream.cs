using System.Runtime.InteropServices;

namespace Transfer.Cli.Host;

/// <summary>The other ends of the process's standard streams: the reader of a pipe, a terminal.</summary>
internal static partial class StandardStream
{
    public const int Input = 0;

    public const int Output = 1;

    /// <summary>Whether the other end of a stream has gone. Never on Windows.</summary>
    /// <param name="descriptor">The descriptor of the stream.</param>
    public static bool HasNoPeer(int descriptor)
    {
        const short PollError = 0x0008;
        const short PollHangUp = 0x0010;
        if (OperatingSystem.IsWindows()) return false;
        var polled = new PollDescriptor { Descriptor = descriptor };
        return Poll(ref polled, 1, 0) > 0 && (polled.Found & (PollError | PollHangUp)) != 0;
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
