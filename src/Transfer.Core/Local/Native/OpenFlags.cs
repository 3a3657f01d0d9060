using System.Runtime.InteropServices;

namespace Transfer.Local.Native;

/// <summary>Flags of open(2) that differ between systems and processors; not for Windows.</summary>
internal static class OpenFlags
{
    private static readonly bool IsOtherProcessor =
        RuntimeInformation.ProcessArchitecture is Architecture.Arm or Architecture.Armv6 or Architecture.Arm64 or Architecture.Ppc64le;

    /// <summary>O_CLOEXEC.</summary>
    public static readonly int CloseOnExec = OperatingSystem.IsMacOS() ? 0x1000000 : 0x80000;

    /// <summary>O_NONBLOCK: opening a pipe does not wait for the other end.</summary>
    public static readonly int NonBlocking = OperatingSystem.IsMacOS() ? 0x4 : 0x800;

    /// <summary>O_DIRECTORY: anything but a folder is refused.</summary>
    public static readonly int Folder = OperatingSystem.IsMacOS() ? 0x100000 : IsOtherProcessor ? 0x4000 : 0x10000;

    /// <summary>O_NOFOLLOW: a link is refused.</summary>
    public static readonly int NoFollow = OperatingSystem.IsMacOS() ? 0x100 : IsOtherProcessor ? 0x8000 : 0x20000;

    /// <summary>O_PATH of Linux: no right to read is needed.</summary>
    public static readonly int PathOnly = OperatingSystem.IsLinux() ? 0x200000 : 0;

    /// <summary>AT_REMOVEDIR of unlinkat(2).</summary>
    public static readonly int RemoveFolder = OperatingSystem.IsMacOS() ? 0x80 : 0x200;
}
