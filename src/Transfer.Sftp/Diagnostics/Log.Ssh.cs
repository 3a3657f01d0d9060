using Microsoft.Extensions.Logging;

namespace Transfer.Sftp;

/// <summary>The log messages of the SSH layer: ids 3000 to 3099. Texts of a server arrive here cleaned, secrets never.</summary>
internal static partial class Log
{
    [LoggerMessage(3000, LogLevel.Debug, "{Host} speaks {Version}.")]
    public static partial void ServerVersion(ILogger logger, string host, string version);

    [LoggerMessage(3001, LogLevel.Information, "{Host} says before the log-in: {Text}")]
    public static partial void ServerSays(ILogger logger, string host, string text);

    [LoggerMessage(3002, LogLevel.Debug,
        "Keys exchanged with {Host}: {Method}, {HostKey}, {Cipher}, MAC {Mac}; strict: {Strict}, first: {First}.")]
    public static partial void KeysExchanged(ILogger logger, string host, string method, string hostKey, string cipher, string mac,
        bool strict, bool first);

    [LoggerMessage(3003, LogLevel.Debug, "The SSH connection to {Host} is over: {Reason}")]
    public static partial void SshEnded(ILogger logger, string host, string reason);

    [LoggerMessage(3004, LogLevel.Debug, "{Host} does not know message {Sequence} of ours.")]
    public static partial void NotImplemented(ILogger logger, string host, uint sequence);

    [LoggerMessage(3005, LogLevel.Debug, "A sign of life was requested of {Host}.")]
    public static partial void AskedForLife(ILogger logger, string host);

    [LoggerMessage(3006, LogLevel.Trace, "{Host} says: {Text}")]
    public static partial void ServerDebug(ILogger logger, string host, string text);

    [LoggerMessage(3007, LogLevel.Warning,
        "{Host} has no strict key exchange, and uses {Cipher}: an attacker in between could remove the first messages unseen "
        + "(Terrapin). Nothing here depends on them; the server should be updated.")]
    public static partial void NotStrict(ILogger logger, string host, string cipher);

    [LoggerMessage(3008, LogLevel.Trace, "> {Message}")]
    public static partial void MessageSent(ILogger logger, string message);

    [LoggerMessage(3009, LogLevel.Trace, "< {Message}")]
    public static partial void MessageReceived(ILogger logger, string message);

    [LoggerMessage(3010, LogLevel.Debug, "Log-in to {Host} by {Method} ({Detail}): {Outcome}.")]
    public static partial void LogInTried(ILogger logger, string host, string method, string detail, string outcome);

    [LoggerMessage(3011, LogLevel.Debug, "Logged in to {Host}; round trip {RoundTrip}.")]
    public static partial void SshLoggedIn(ILogger logger, string host, TimeSpan roundTrip);

    [LoggerMessage(3020, LogLevel.Debug, "Channel {Channel} to {Host} is open: their window {Window}, their packets {Packet}.")]
    public static partial void ChannelOpened(ILogger logger, uint channel, string host, long window, int packet);

    [LoggerMessage(3021, LogLevel.Debug, "Channel {Channel} to {Host} says on its error stream: {Text}")]
    public static partial void ChannelError(ILogger logger, uint channel, string host, string text);
}
