using System.ComponentModel;
using System.Runtime.InteropServices;

namespace Transfer.Wan.Link.Tun;

/// <summary>The system calls that .NET has no way to.</summary>
internal static partial class LibC
{
    public const int ReadWrite = 2;
    public const int NonBlocking = 0x800;
    public const int CloseOnExec = 0x80000;
    public const int NewNetwork = 0x40000000;
    public const short PollIn = 1;
    public const int TryAgain = 11;
    public const int Interrupted = 4;
    public const int RoundRobin = 2;
    public const int TimerSlack = 29;
    public const int Children = -1;

    public static void ThrowIfFailed(int result, string call)
    {
        if (result < 0) throw new Win32Exception(Marshal.GetLastPInvokeError(), $"{call}: {Marshal.GetLastPInvokeErrorMessage()}");
    }

    [LibraryImport("libc", EntryPoint = "unshare", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int Unshare(int flags);

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int Close(int file);

    [LibraryImport("libc", EntryPoint = "ioctl", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int Control(int file, nuint request, nint argument);

    [LibraryImport("libc", EntryPoint = "read", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static unsafe partial nint Read(int file, byte* into, nint length);

    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static unsafe partial nint Write(int file, byte* from, nint length);

    [LibraryImport("libc", EntryPoint = "ppoll", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static unsafe partial int Poll(PollEntry* entries, nuint count, TimeSpec* timeout, nint signals);

    [LibraryImport("libc", EntryPoint = "clock_gettime", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static unsafe partial int GetTime(int clock, TimeSpec* time);

    [LibraryImport("libc", EntryPoint = "gettid")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int ThreadId();

    [LibraryImport("libc", EntryPoint = "sched_setscheduler", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int SetScheduler(int thread, int policy, in int priority);

    [LibraryImport("libc", EntryPoint = "prctl", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int ProcessControl(int option, nuint value, nuint third, nuint fourth, nuint fifth);

    [LibraryImport("libc", EntryPoint = "getrusage", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static unsafe partial int GetUsage(int who, long* usage);

    [StructLayout(LayoutKind.Sequential)]
    public struct TimeSpec
    {
        public nint Seconds;
        public nint Nanoseconds;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct PollEntry
    {
        public int File;
        public short Events;
        public short Happened;
    }
}
