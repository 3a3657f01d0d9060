using Microsoft.Win32.SafeHandles;
using Transfer.Local.Native;

namespace Transfer.Local;

/// <summary>Sets when an open file was modified, on Linux in one call: .NET asks for the time of the last access before, to set it again.</summary>
internal static class FileTimes
{
    /// <summary>Sets it.</summary>
    /// <param name="file">The file, open for writing.</param>
    /// <param name="time">The time, of UTC.</param>
    /// <param name="path">Its path.</param>
    /// <exception cref="IOException">The system refuses.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be set.</exception>
    public static void SetModified(SafeFileHandle file, DateTime time, string path)
    {
        DiskFaults.Check(DiskCall.SetTime, path);
        // Where refused, the usual way tells why.
        if (!OperatingSystem.IsLinux() || Libc.SetTimes(file, [TimeSpec.Omitted, TimeSpec.Of(time)]) != 0) File.SetLastWriteTimeUtc(file, time);
    }
}
