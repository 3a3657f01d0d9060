using Microsoft.Extensions.Logging;

namespace Transfer.Batch;

internal static partial class Log
{
    [LoggerMessage(5200, LogLevel.Information, "Listening at {EndPoint}.")]
    public static partial void Listening(ILogger logger, System.Net.IPEndPoint endPoint);

    [LoggerMessage(5201, LogLevel.Information, "A connection from {From} is closed before it has proved anything: {Reason}")]
    public static partial void Unproved(ILogger logger, string from, string reason);

    [LoggerMessage(5202, LogLevel.Warning, "A connection could not be accepted: {Reason}")]
    public static partial void AcceptFailed(ILogger logger, string reason);

    [LoggerMessage(5203, LogLevel.Error, "A connection failed unexpectedly.")]
    public static partial void ConnectionFault(ILogger logger, Exception exception);
}
