using System.Runtime.InteropServices;

namespace Transfer.Local.Native;

/// <summary>struct timespec of the C library: under the old names of the calls on 32 bits, and under all names on 64.</summary>
[StructLayout(LayoutKind.Sequential)]
internal readonly record struct TimeSpec(nint Seconds, nint Nanoseconds)
{
    private const int NanosecondsPerTick = 100;

    /// <summary>UTIME_OMIT: the time stays unchanged.</summary>
    public static TimeSpec Omitted => new(0, (1 << 30) - 2);

    /// <summary>A time of UTC.</summary>
    public static TimeSpec Of(DateTime time)
    {
        var (seconds, rest) = Math.DivRem(time.Ticks - DateTime.UnixEpoch.Ticks, TimeSpan.TicksPerSecond);
        if (rest < 0) (seconds, rest) = (seconds - 1, rest + TimeSpan.TicksPerSecond);
        return new((nint)seconds, (nint)(rest * NanosecondsPerTick));
    }
}
