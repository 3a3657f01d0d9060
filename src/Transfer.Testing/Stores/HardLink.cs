using System.ComponentModel;
using System.Runtime.InteropServices;

namespace Transfer.Testing.Stores;

/// <summary>Hard links, which the framework has no call for.</summary>
internal static partial class HardLink
{
    private const int NoSuchFile = 2;
    private const int Forbidden = 1;
    private const int AccessDenied = 13;

    /// <exception cref="IOException">An entry of the new name exists, or the system refuses.</exception>
    public static void Create(string path, string newPath)
    {
        var made = OperatingSystem.IsWindows() ? CreateHardLink(newPath, path, 0) : Link(path, newPath) == 0;
        if (made) return;
        throw Marshal.GetLastPInvokeError() switch
        {
            NoSuchFile => new FileNotFoundException("No such file or directory."),
            Forbidden or AccessDenied => new UnauthorizedAccessException("Permission denied."),
            var error => new IOException(new Win32Exception(error).Message),
        };
    }

    [LibraryImport("libc", EntryPoint = "link", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Link(string path, string newPath);

    [LibraryImport("kernel32.dll", EntryPoint = "CreateHardLinkW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool CreateHardLink(string newPath, string path, nint attributes);
}
