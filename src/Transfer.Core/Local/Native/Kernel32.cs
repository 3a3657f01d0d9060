using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Transfer.Local.Native;

/// <summary>Windows' calls for flushing and closing, which report errors.</summary>
internal static partial class Kernel32
{
    private const int FromWin32 = unchecked((int)0x80070000);

    /// <summary>FlushFileBuffers.</summary>
    /// <exception cref="IOException">The call failed.</exception>
    public static void Flush(SafeFileHandle handle, string path)
    {
        if (!FlushFileBuffers(handle)) throw LastException(path);
    }

    /// <summary>CloseHandle.</summary>
    /// <exception cref="IOException">The call failed.</exception>
    public static void Close(nint handle, string path)
    {
        if (!CloseHandle(handle)) throw LastException(path);
    }

    private static IOException LastException(string path)
    {
        var error = Marshal.GetLastPInvokeError();
        return new IOException($"{Marshal.GetPInvokeErrorMessage(error)} : '{path}'", FromWin32 | error);
    }

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool FlushFileBuffers(SafeFileHandle file);

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool CloseHandle(nint handle);
}
