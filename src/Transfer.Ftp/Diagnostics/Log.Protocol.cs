using System.Net;
using Microsoft.Extensions.Logging;

namespace Transfer.Ftp;

/// <summary>The log messages of the protocol layer: ids 2000 to 2099. Commands and replies come here redacted.</summary>
internal static partial class Log
{
    [LoggerMessage(2001, LogLevel.Trace, "> {Command}")]
    public static partial void CommandSent(ILogger logger, string command);

    [LoggerMessage(2002, LogLevel.Trace, "< {Code} {Text}")]
    public static partial void ReplyReceived(ILogger logger, int code, string text);

    [LoggerMessage(2003, LogLevel.Debug, "The control connection is over: {Reason}")]
    public static partial void ControlBroken(ILogger logger, string reason);

    [LoggerMessage(2004, LogLevel.Debug,
        "Control connection secured: {Protocol}, {CipherSuite}; sessions reused under {TargetHost}: {Reuses}.")]
    public static partial void ControlSecured(ILogger logger, string protocol, string cipherSuite, string targetHost, bool reuses);

    [LoggerMessage(2005, LogLevel.Debug, "Control connection continues in plain text.")]
    public static partial void ControlPlain(ILogger logger);

    [LoggerMessage(2006, LogLevel.Warning,
        "No TLS host name is left for another connection to {Host}: its data connections can't resume its session.")]
    public static partial void NoTargetHostLeft(ILogger logger, string host);

    [LoggerMessage(2007, LogLevel.Debug, "No close_notify could be sent to the server: {Reason}")]
    public static partial void CloseNotifyFailed(ILogger logger, string reason);

    [LoggerMessage(2008, LogLevel.Trace, "A data connection that is not wanted any more has ended: {Reason}")]
    public static partial void SkippingEnded(ILogger logger, string reason);

    [LoggerMessage(2020, LogLevel.Trace, "Data connection to {Host}:{Port}, TLS resumable: {Resumable}.")]
    public static partial void DataConnected(ILogger logger, string host, int port, bool resumable);

    [LoggerMessage(2021, LogLevel.Debug, "Listening on {EndPoint} for the server's data connection.")]
    public static partial void Listening(ILogger logger, IPEndPoint endPoint);

    [LoggerMessage(2022, LogLevel.Warning, "A data connection from {EndPoint} was closed: it is not from the server.")]
    public static partial void StrangerClosed(ILogger logger, IPEndPoint? endPoint);
}
