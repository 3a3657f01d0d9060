using Transfer.Wan.Link.Tun;

namespace Transfer.Wan.Runs;

/// <summary>
/// Processor time of all children of this process that have ended, and of theirs that they waited for (getrusage(2), RUSAGE_CHILDREN).
/// </summary>
internal static class ChildUsage
{
    private const int Fields = 32;

    /// <summary>In seconds, of users and kernel together; null: this system has no such count.</summary>
    public static unsafe double? Seconds()
    {
        if (!OperatingSystem.IsLinux()) return null;
        // ru_utime and ru_stime are first, each seconds and microseconds.
        var usage = stackalloc long[Fields];
        LibC.ThrowIfFailed(LibC.GetUsage(LibC.Children, usage), "getrusage");
        return usage[0] + usage[2] + ((usage[1] + usage[3]) / 1e6);
    }
}
