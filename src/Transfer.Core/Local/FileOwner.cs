using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Transfer.Local;

/// <summary>
/// The user and the group of an open file, which .NET does not expose; by the runtime's own portable fstat(2), which has the same layout
/// on every system.
/// </summary>
[UnsupportedOSPlatform("windows")]
public sealed class FileOwner
{
    private const uint Root = 0;
    private const int Length = 256;
    private const int UserAt = 8;
    private const int GroupAt = 12;

    private FileOwner(uint user, uint group) => (User, Group) = (user, group);

    /// <summary>The user and group of this process.</summary>
    public static FileOwner Ours => new(GetUser(), GetGroup());

    /// <summary>The number of the user.</summary>
    public uint User { get; }

    /// <summary>The number of the group.</summary>
    public uint Group { get; }

    /// <summary>Whether the user is the one of this process, or root: no other user can change the file by right.</summary>
    public bool IsTrusted => User == Root || User == Ours.User;

    /// <summary>Returns the owner of an open file.</summary>
    /// <param name="file">The file.</param>
    /// <exception cref="IOException">The system does not report the owner.</exception>
    public static FileOwner Of(SafeFileHandle file)
    {
        var status = new byte[Length];
        if (Status(file, status) != 0) throw new IOException("The system does not report the owner of an open file.");
        return new FileOwner(MemoryMarshal.Read<uint>(status.AsSpan(UserAt)), MemoryMarshal.Read<uint>(status.AsSpan(GroupAt)));
    }

    // Blittable arguments only: generated marshalling would need unsafe code in the whole project.
    [DllImport("libSystem.Native", EntryPoint = "SystemNative_FStat")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.AssemblyDirectory | DllImportSearchPath.SafeDirectories)]
    private static extern int Status(SafeFileHandle file, byte[] status);

    [DllImport("libSystem.Native", EntryPoint = "SystemNative_GetEUid")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.AssemblyDirectory | DllImportSearchPath.SafeDirectories)]
    private static extern uint GetUser();

    [DllImport("libSystem.Native", EntryPoint = "SystemNative_GetEGid")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.AssemblyDirectory | DllImportSearchPath.SafeDirectories)]
    private static extern uint GetGroup();
}
