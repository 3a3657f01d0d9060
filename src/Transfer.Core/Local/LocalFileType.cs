namespace Transfer.Local;

/// <summary>
/// Tells regular files from pipes, sockets and devices, which .NET does not. It matters before a file is opened: opening a
/// pipe waits for its other end.
/// </summary>
internal static class LocalFileType
{
    /// <summary>True for a regular file, after following links, and for nothing at all: opening that gives the proper error.</summary>
    /// <exception cref="IOException">The system cannot say.</exception>
    public static bool IsRegular(string path) => FileStatus.Find(path, follow: true) is not { IsRegular: false };
}
