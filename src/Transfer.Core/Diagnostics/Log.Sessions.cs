using Microsoft.Extensions.Logging;

namespace Transfer.Diagnostics;

/// <summary>The session pool: events 1100 to 1199.</summary>
internal static partial class Log
{
    [LoggerMessage(1100, LogLevel.Debug, "A session was opened; {Open} are open.")]
    public static partial void SessionOpened(ILogger logger, int open);

    [LoggerMessage(1101, LogLevel.Warning, "The server allows no further session: going on with {Limit}.")]
    public static partial void SessionLimitLowered(ILogger logger, int limit);

    [LoggerMessage(1102, LogLevel.Debug, "Trying up to {Limit} sessions again.")]
    public static partial void SessionLimitRaised(ILogger logger, int limit);

    [LoggerMessage(1103, LogLevel.Debug, "A session that was no longer needed could not be opened: {Reason}")]
    public static partial void OpeningFailed(ILogger logger, string reason);

    [LoggerMessage(1104, LogLevel.Debug, "A session was closed.")]
    public static partial void SessionClosed(ILogger logger);

    [LoggerMessage(1105, LogLevel.Debug, "A session could not be closed in order.")]
    public static partial void CloseFailed(ILogger logger, Exception error);

    [LoggerMessage(1106, LogLevel.Debug, "The server is known to allow {Limit} sessions.")]
    public static partial void SessionLimitRecalled(ILogger logger, int limit);

    [LoggerMessage(1107, LogLevel.Information, "The limits of servers in {Path} can't be read: going on without them.")]
    public static partial void LimitsUnreadable(ILogger logger, string path, Exception error);

    [LoggerMessage(1108, LogLevel.Information, "There is more in {Path} than limits of servers: that is ignored.")]
    public static partial void LimitsGarbled(ILogger logger, string path);

    [LoggerMessage(1109, LogLevel.Information, "The server's limit can't be kept in {Path}.")]
    public static partial void LimitNotKept(ILogger logger, string path, Exception error);
}
