using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Transfer.Local;

/// <summary>Sets when an open file was modified, on Linux in one call: .NET asks for the time of the last access before, to set it again.</summary>
internal static class FileTimes
{
    // futimens(3): this one stays.
    private const int Omitted = (1 << 30) - 2;
    private const int NanosecondsPerTick = 100;

    /// <summary>Sets it.</summary>
    /// <param name="file">The file, open for writing.</param>
    /// <param name="time">The time, of UTC.</param>
    /// <exception cref="IOException">The system refuses.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be set.</exception>
    public static void SetModified(SafeFileHandle file, DateTime time)
    {
        // Where refused, the usual way tells why.
        if (!OperatingSystem.IsLinux() || !Environment.Is64BitProcess || !TrySet(file, time)) File.SetLastWriteTimeUtc(file, time);
    }

    private static bool TrySet(SafeFileHandle file, DateTime time)
    {
        var (seconds, rest) = Math.DivRem(time.Ticks - DateTime.UnixEpoch.Ticks, TimeSpan.TicksPerSecond);
        if (rest < 0) (seconds, rest) = (seconds - 1, rest + TimeSpan.TicksPerSecond);
        ReadOnlySpan<TimeSpec> times = [new(0, Omitted), new((nint)seconds, (nint)(rest * NanosecondsPerTick))];
        return Set(file, in MemoryMarshal.GetReference(times)) == 0;
    }

    [DllImport("libc", EntryPoint = "futimens")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Set(SafeFileHandle file, in TimeSpec times);

    // As C has it where its long has 64 bits.
    private readonly record struct TimeSpec(nint Seconds, nint Nanoseconds);
}
