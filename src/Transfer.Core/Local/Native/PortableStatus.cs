using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using AsBytes = System.Runtime.InteropServices.Marshalling.MarshalUsingAttribute;

namespace Transfer.Local.Native;

/// <summary>
/// The runtime's own portable stat(2), where there is no statx(2): macOS, and Linux with an old C library or kernel. struct stat differs
/// from system to system; this layout does not.
/// </summary>
internal static partial class PortableStatus
{
    // Flags and mode as 32-bit integers, user and group, then 64-bit ones: size, access, nanoseconds, modification, nanoseconds, ...
    private const int Length = 256;
    private const int ModeAt = 4;
    private const int GroupAt = 12;
    private const int SizeAt = 16;
    private const int ModifiedAt = 40;
    private const int NanosecondsAt = ModifiedAt + sizeof(long);
    private const int ChangedAt = 56;
    private const int DeviceAt = 88;
    private const int NumberAt = 104;

    /// <summary>Reads the status of a path.</summary>
    /// <returns>0, or the error number; and the status.</returns>
    public static (int Errno, FileStatus Status) TryRead(string path, bool follow)
    {
        Span<byte> status = stackalloc byte[Length];
        return (follow ? Stat(path, status) : LinkStat(path, status)) != 0 ? (Errno.Last, default) : (0, Read(status));
    }

    /// <summary>Reads the status of an open file; null: the call failed.</summary>
    public static FileStatus? TryRead(SafeFileHandle file)
    {
        Span<byte> status = stackalloc byte[Length];
        return FileStat(file, status) == 0 ? Read(status) : null;
    }

    private static FileStatus Read(ReadOnlySpan<byte> status)
    {
        var mode = MemoryMarshal.Read<int>(status[ModeAt..]);
        return new()
        {
            Length = MemoryMarshal.Read<long>(status[SizeAt..]),
            ModifiedTicks = Statx.Ticks(MemoryMarshal.Read<long>(status[ModifiedAt..]), MemoryMarshal.Read<long>(status[NanosecondsAt..])),
            ChangedTicks = Statx.Ticks(MemoryMarshal.Read<long>(status[ChangedAt..]),
                MemoryMarshal.Read<long>(status[(ChangedAt + sizeof(long))..])),
            Group = MemoryMarshal.Read<uint>(status[GroupAt..]),
            Mode = UnixMode.PermissionsOf(mode),
            Type = UnixMode.TypeOf(mode),
            Number = MemoryMarshal.Read<ulong>(status[NumberAt..]),
            Device = MemoryMarshal.Read<ulong>(status[DeviceAt..]),
        };
    }

    [LibraryImport("libSystem.Native", EntryPoint = "SystemNative_Stat", SetLastError = true)]
    private static partial int Stat([AsBytes(typeof(PathMarshaller))] string path, Span<byte> status);

    [LibraryImport("libSystem.Native", EntryPoint = "SystemNative_LStat", SetLastError = true)]
    private static partial int LinkStat([AsBytes(typeof(PathMarshaller))] string path, Span<byte> status);

    [LibraryImport("libSystem.Native", EntryPoint = "SystemNative_FStat", SetLastError = true)]
    private static partial int FileStat(SafeFileHandle file, Span<byte> status);
}
