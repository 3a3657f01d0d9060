using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Transfer.Local.Native;

/// <summary>statx(2), Linux: one layout for all processors; integers in the processor's byte order.</summary>
internal static class Statx
{
    /// <summary>The length of a status in bytes.</summary>
    public const int Length = 256;

    private const uint Wanted = 0x1 | 0x2 | 0x10 | 0x40 | 0x80 | 0x100 | 0x200; // type, mode, group, times, number, size
    private const int GroupAt = 24;
    private const int ModeAt = 28;
    private const int NumberAt = 32;
    private const int SizeAt = 40;
    private const int ChangedAt = 96;
    private const int ModifiedAt = 112;
    private const int NanosecondsAt = ModifiedAt + sizeof(long);
    private const int MajorAt = 136;
    private const int MinorAt = 140;
    private const int NanosecondsPerTick = 100;

    // musl has the call since 1.2.5 only.
    private static readonly bool IsFound =
        OperatingSystem.IsLinux() && NativeLibrary.TryLoad("libc", typeof(Statx).Assembly, null, out var library)
        && NativeLibrary.TryGetExport(library, "statx", out _);

    private static volatile bool _isRefused;

    /// <summary>Whether the C library has the call, and the kernel has not refused the call.</summary>
    public static bool IsSupported => IsFound && !_isRefused;

    /// <summary>Reads the status of a path; 0, or the error number.</summary>
    public static int TryRead(string path, bool follow, Span<byte> status) =>
        Result(Libc.Status(Libc.WorkingDirectory, path, follow ? 0 : Libc.NoFollow, Wanted, status));

    /// <summary>Reads the status of an entry of an open folder, not followed; 0, or the error number.</summary>
    public static int TryRead(int folder, nint name, Span<byte> status) => Result(Libc.Status(folder, name, Libc.NoFollow, Wanted, status));

    /// <summary>Reads the status of an open file; 0, or the error number.</summary>
    public static int TryRead(SafeFileHandle file, Span<byte> status)
    {
        byte nothing = 0;
        return Result(Libc.Status(file, in nothing, Libc.OfDescriptor, Wanted, status));
    }

    /// <summary>Reads a status.</summary>
    public static FileStatus Read(ReadOnlySpan<byte> status)
    {
        var mode = MemoryMarshal.Read<ushort>(status[ModeAt..]);
        return new()
        {
            Length = MemoryMarshal.Read<long>(status[SizeAt..]),
            ModifiedTicks = Ticks(MemoryMarshal.Read<long>(status[ModifiedAt..]), MemoryMarshal.Read<uint>(status[NanosecondsAt..])),
            ChangedTicks = Ticks(MemoryMarshal.Read<long>(status[ChangedAt..]),
                MemoryMarshal.Read<uint>(status[(ChangedAt + sizeof(long))..])),
            Group = MemoryMarshal.Read<uint>(status[GroupAt..]),
            Mode = UnixMode.PermissionsOf(mode),
            Type = UnixMode.TypeOf(mode),
            Number = MemoryMarshal.Read<ulong>(status[NumberAt..]),
            Device = (ulong)MemoryMarshal.Read<uint>(status[MajorAt..]) << 32 | MemoryMarshal.Read<uint>(status[MinorAt..]),
        };
    }

    /// <summary>Ticks of UTC; times beyond the range of .NET become the nearest in range.</summary>
    public static long Ticks(long seconds, long nanoseconds) => (long)Int128.Clamp(
        DateTime.UnixEpoch.Ticks + (Int128)seconds * TimeSpan.TicksPerSecond + nanoseconds / NanosecondsPerTick, DateTime.MinValue.Ticks,
        DateTime.MaxValue.Ticks);

    private static int Result(int result)
    {
        if (result == 0) return 0;
        var errno = Errno.Last;
        // Old kernels, and sandboxes that know no such call.
        if (errno == Errno.NotImplemented) _isRefused = true;
        return errno;
    }
}
