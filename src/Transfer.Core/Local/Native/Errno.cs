using System.Runtime.InteropServices;

namespace Transfer.Local.Native;

/// <summary>Error numbers (errno), which differ between Linux and macOS from 35 on, and .NET's exceptions for them.</summary>
internal static class Errno
{
    public const int NotPermitted = 1;
    public const int NotFound = 2;
    public const int Interrupted = 4;
    public const int InputOutput = 5;
    public const int BadDescriptor = 9;
    public const int AccessDenied = 13;
    public const int Exists = 17;
    public const int OtherFileSystem = 18;
    public const int NotFolder = 20;
    public const int IsFolder = 21;
    public const int Invalid = 22;
    public const int TooManyOnMachine = 23;
    public const int TooManyOpen = 24;
    public const int NoSuchControl = 25;
    public const int TooLarge = 27;
    public const int NoSpace = 28;

    public static readonly int WouldBlock = OperatingSystem.IsLinux() ? 11 : 35;
    public static readonly int NameTooLong = OperatingSystem.IsLinux() ? 36 : 63;
    public static readonly int NotImplemented = OperatingSystem.IsLinux() ? 38 : 78;
    public static readonly int NotEmpty = OperatingSystem.IsLinux() ? 39 : 66;
    public static readonly int LinkLoop = OperatingSystem.IsLinux() ? 40 : 62;
    public static readonly int NotSupported = OperatingSystem.IsLinux() ? 95 : 45;
    public static readonly int OverQuota = OperatingSystem.IsLinux() ? 122 : 69;

    /// <summary>The error number of the last call.</summary>
    public static int Last => Marshal.GetLastPInvokeError();

    /// <summary>The exception for an error number at a path, of the same type and with the same number as from System.IO.</summary>
    /// <param name="errno">The number.</param>
    /// <param name="path">The path of the call.</param>
    /// <param name="isFolder">Whether the path was to be a folder.</param>
    public static Exception ToException(int errno, string path, bool isFolder = false)
    {
        var text = Marshal.GetPInvokeErrorMessage(errno);
        return errno switch
        {
            NotFound when isFolder => new DirectoryNotFoundException($"Could not find a part of the path '{path}'."),
            NotFound => new FileNotFoundException($"Could not find file '{path}'.", path),
            AccessDenied or NotPermitted or BadDescriptor or IsFolder =>
                new UnauthorizedAccessException($"Access to the path '{path}' is denied.", new IOException(text, errno)),
            Exists => new IOException($"'{path}' already exists.", errno),
            _ when errno == NameTooLong => new PathTooLongException($"The path '{path}' or a component of that is too long."),
            _ when errno == WouldBlock =>
                new IOException($"The process cannot access the file '{path}' because it is being used by another process.", errno),
            _ => new IOException($"{text} : '{path}'", errno),
        };
    }

    /// <summary>The exception for the last call.</summary>
    public static Exception LastException(string path, bool isFolder = false) => ToException(Last, path, isFolder);
}
