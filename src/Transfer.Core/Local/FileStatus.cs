using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using Transfer.Engine.Journal;

namespace Transfer.Local;

/// <summary>
/// What the system says of an open file, in one call where it has one that says all of it: statx(2), Linux. .NET asks once for each property, which of many small files is a good part of the work.
/// </summary>
internal readonly record struct FileStatus
{
    // One layout for all processors; integers as the processor has them.
    private const int Length256 = 256;
    private const int ModeAt = 28;
    private const int SizeAt = 40;
    private const int ModifiedAt = 112;
    private const int NanosecondsAt = ModifiedAt + sizeof(long);
    private const int OfDescriptor = 0x1000;
    private const uint TypeModeModifiedAndSize = 0x1 | 0x2 | 0x40 | 0x200;

    private const int TypeMask = 0xF000;
    private const int Regular = 0x8000;
    private const int NanosecondsPerTick = 100;

    /// <summary>Its length in bytes.</summary>
    public long Length { get; private init; }

    /// <summary>When it was modified, in ticks of UTC.</summary>
    public long ModifiedTicks { get; private init; }

    /// <summary>Who may do what with it; none on Windows.</summary>
    public UnixFileMode Mode { get; private init; }

    /// <summary>It is a file, and no folder, pipe or device. Also true where the system cannot say.</summary>
    public bool IsRegular { get; private init; }

    /// <summary>What tells this state of it from another.</summary>
    public SourceStamp Stamp => new(Length, ModifiedTicks);

    /// <summary>Asks the system.</summary>
    /// <exception cref="IOException">It cannot say.</exception>
    public static FileStatus Of(SafeFileHandle file) => TryAsk(file) ?? new()
    {
        Length = RandomAccess.GetLength(file),
        ModifiedTicks = File.GetLastWriteTimeUtc(file).Ticks,
        Mode = OperatingSystem.IsWindows() ? UnixFileMode.None : File.GetUnixFileMode(file),
        IsRegular = true,
    };

    // Null: an old kernel or C library has no such call, or it can't be used on that file. Then the usual way tells why.
    private static FileStatus? TryAsk(SafeFileHandle file)
    {
        if (!OperatingSystem.IsLinux()) return null;
        Span<byte> status = stackalloc byte[Length256];
        try
        {
            if (Status(file, 0, OfDescriptor, TypeModeModifiedAndSize, ref MemoryMarshal.GetReference(status)) != 0) return null;
        }
        catch (EntryPointNotFoundException)
        {
            return null;
        }
        var mode = MemoryMarshal.Read<ushort>(status[ModeAt..]);
        var ticks = DateTime.UnixEpoch.Ticks + (Int128)MemoryMarshal.Read<long>(status[ModifiedAt..]) * TimeSpan.TicksPerSecond
            + MemoryMarshal.Read<uint>(status[NanosecondsAt..]) / NanosecondsPerTick;
        return new FileStatus
        {
            Length = MemoryMarshal.Read<long>(status[SizeAt..]),
            ModifiedTicks = (long)Int128.Clamp(ticks, DateTime.MinValue.Ticks, DateTime.MaxValue.Ticks),
            Mode = (UnixFileMode)(mode & ~TypeMask),
            IsRegular = (mode & TypeMask) == Regular,
        };
    }

    // The path is empty: what is meant is the file itself.
    [DllImport("libc", EntryPoint = "statx")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Status(SafeFileHandle file, in byte path, int flags, uint wanted, ref byte status);
}
