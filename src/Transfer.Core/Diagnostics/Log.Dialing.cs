using System.Net;
using Microsoft.Extensions.Logging;

namespace Transfer.Diagnostics;

/// <summary>Dialing: events 1000 to 1099.</summary>
internal static partial class Log
{
    [LoggerMessage(1000, LogLevel.Debug, "{Host} has {Count} addresses.")]
    public static partial void Resolved(ILogger logger, string host, int count);

    [LoggerMessage(1001, LogLevel.Debug, "Could not connect to {EndPoint}: {Reason}")]
    public static partial void AttemptFailed(ILogger logger, IPEndPoint endPoint, string reason);

    [LoggerMessage(1002, LogLevel.Debug, "Connected to {EndPoint} in {Milliseconds:0.0} ms.")]
    public static partial void Connected(ILogger logger, IPEndPoint? endPoint, double milliseconds);

    [LoggerMessage(1003, LogLevel.Debug, "The {Direction} buffer was {Choice}, {Bytes} bytes now: {Reason}.")]
    public static partial void BufferChosen(ILogger logger, string direction, string choice, int bytes, string reason);

    [LoggerMessage(1004, LogLevel.Debug, "The congestion control is {Name}: {Reason}.")]
    public static partial void CongestionControlChosen(ILogger logger, string name, string reason);

    [LoggerMessage(1005, LogLevel.Debug, "The system refuses the congestion control {Name}: {Reason}")]
    public static partial void CongestionControlRefused(ILogger logger, string name, string reason);

    [LoggerMessage(1006, LogLevel.Debug, "The {Kind} proxy {Proxy} opened the tunnel.")]
    public static partial void TunnelOpened(ILogger logger, ProxyKind kind, object proxy);
}
