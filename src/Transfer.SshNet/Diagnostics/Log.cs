using Microsoft.Extensions.Logging;

namespace Transfer.SshNet.Diagnostics;

/// <summary>SSH.NET adapter: events 6000 to 6099.</summary>
internal static partial class Log
{
    [LoggerMessage(6000, LogLevel.Debug, "SSH.NET session opened with {Server}; home {Home}.")]
    public static partial void SessionOpened(ILogger logger, string server, string home);

    [LoggerMessage(6001, LogLevel.Debug, "A client of SSH.NET did not close cleanly.")]
    public static partial void NotClosed(ILogger logger, Exception reason);

    [LoggerMessage(6002, LogLevel.Warning, "{Path} has its new content; the old one is left in {Aside}, which could not be deleted.")]
    public static partial void AsideLeft(ILogger logger, string path, string aside);

    [LoggerMessage(6003, LogLevel.Debug, "The server does not set attributes of {Path}.")]
    public static partial void AttributesNotSet(ILogger logger, string path);

    [LoggerMessage(6004, LogLevel.Debug,
        "The server has no posix-rename@openssh.com that works: files are replaced by way of a second name.")]
    public static partial void NoPosixRename(ILogger logger);
}
