using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Transfer.Cli.Host;

/// <summary>The owner of an open file, which .NET does not expose; by the runtime's own portable fstat(2).</summary>
[UnsupportedOSPlatform("windows")]
internal static class FileOwner
{
    private const uint Root = 0;
    private const int Length = 256;
    private const int UserAt = 8;

    /// <summary>Whether a file belongs to the user of this process or to root, so that nobody else can change it by right.</summary>
    /// <exception cref="IOException">The system does not report the owner.</exception>
    public static bool IsTrusted(SafeFileHandle file)
    {
        var status = new byte[Length];
        if (Status(file, status) != 0) throw new IOException("The system does not report the owner of the file.");
        var owner = MemoryMarshal.Read<uint>(status.AsSpan(UserAt));
        return owner == Root || owner == GetUser();
    }

    // Blittable arguments only: generated marshalling would need unsafe code in the whole project.
    [DllImport("libSystem.Native", EntryPoint = "SystemNative_FStat")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.AssemblyDirectory | DllImportSearchPath.SafeDirectories)]
    private static extern int Status(SafeFileHandle file, byte[] status);

    [DllImport("libSystem.Native", EntryPoint = "SystemNative_GetEUid")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.AssemblyDirectory | DllImportSearchPath.SafeDirectories)]
    private static extern uint GetUser();
}
