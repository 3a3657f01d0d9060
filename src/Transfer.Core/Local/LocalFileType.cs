namespace Transfer.Local;

/// <summary>
/// Distinguishes regular files from pipes, sockets and devices, which .NET does not. The check must come before opening: opening a pipe
/// waits for the other end.
/// </summary>
internal static class LocalFileType
{
    /// <summary>Whether a path is a regular file, after following links, or absent: opening an absent file gives the proper
    /// error.</summary>
    /// <exception cref="IOException">The system cannot determine that.</exception>
    public static bool IsRegular(string path) => FileStatus.Find(path, follow: true) is not { IsRegular: false };
}
