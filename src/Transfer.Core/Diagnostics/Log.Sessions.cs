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

    [LoggerMessage(1103, LogLevel.Debug, "A session that nobody waits for any more could not be opened: {Reason}")]
    public static partial void OpeningFailed(ILogger logger, string reason);

    [LoggerMessage(1104, LogLevel.Debug, "A session was closed.")]
    public static partial void SessionClosed(ILogger logger);

    [LoggerMessage(1105, LogLevel.Debug, "A session could not be closed in order.")]
    public static partial void CloseFailed(ILogger logger, Exception error);
}
