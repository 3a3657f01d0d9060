using System.Runtime.InteropServices;
using System.Text;

namespace Transfer.Local;

/// <summary>
/// Tells regular files from pipes, sockets and devices, which .NET does not. It matters before a file is opened: opening a
/// pipe waits for its other end.
/// </summary>
internal static class LocalFileType
{
    private const int TypeMask = 0xF000;
    private const int Regular = 0x8000;

    // The runtime's own portable stat: Flags, Mode, ... as 32-bit integers. struct stat differs from system to system, this does not.
    private const int ModeOffset = 4;
    private const int StatusSize = 256;

    /// <summary>True for a regular file, after following links. Also true where the system cannot say.</summary>
    public static bool IsRegular(string path)
    {
        if (OperatingSystem.IsWindows()) return (File.GetAttributes(path) & (FileAttributes.Device | FileAttributes.Directory)) == 0;
        var name = new byte[Encoding.UTF8.GetMaxByteCount(path.Length) + 1];
        Encoding.UTF8.GetBytes(path, name);
        var status = new byte[StatusSize];
        try
        {
            // What is absent is the next caller's to find out: opening it gives the proper error.
            if (Stat(name, status) != 0) return true;
        }
        catch (Exception e) when (e is EntryPointNotFoundException or DllNotFoundException)
        {
            return true;
        }
        return (BitConverter.ToInt32(status, ModeOffset) & TypeMask) == Regular;
    }

    [DllImport("libSystem.Native", EntryPoint = "SystemNative_Stat")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Stat(byte[] path, byte[] status);
}
