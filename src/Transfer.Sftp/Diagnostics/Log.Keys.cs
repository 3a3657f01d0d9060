using Microsoft.Extensions.Logging;

namespace Transfer.Sftp;

/// <summary>Keys, agents, known hosts and configuration: 3300 to 3399.</summary>
internal static partial class Log
{
    [LoggerMessage(3300, LogLevel.Warning, "{Path}:{Line} is not a line of known hosts that is understood; it is skipped.")]
    public static partial void KnownHostSkipped(ILogger logger, string path, int line);

    [LoggerMessage(3301, LogLevel.Information, "The host {Host} was new; its key {Type} {Fingerprint} was accepted and written to {Path}.")]
    public static partial void HostKeyAccepted(ILogger logger, string host, string type, string fingerprint, string path);

    [LoggerMessage(3302, LogLevel.Warning,
        "The host {Host} was new; its key {Type} {Fingerprint} was accepted, but not written down: {Reason}")]
    public static partial void HostKeyAcceptedUnwritten(ILogger logger, string host, string type, string fingerprint, string reason);

    [LoggerMessage(3310, LogLevel.Debug, "There is no agent: {Reason}")]
    public static partial void AgentAbsent(ILogger logger, string reason);

    [LoggerMessage(3311, LogLevel.Debug, "The agent at {Path} holds {Count} keys that can be used, and {Skipped} of other kinds.")]
    public static partial void AgentListed(ILogger logger, string path, int count, int skipped);

    [LoggerMessage(3312, LogLevel.Warning, "The agent at {Path} is not used: {Reason}")]
    public static partial void AgentFailed(ILogger logger, string path, string reason);

    [LoggerMessage(3313, LogLevel.Debug, "{Reason} The key is skipped.")]
    public static partial void EncryptedIdentitySkipped(ILogger logger, string reason);

    [LoggerMessage(3314, LogLevel.Warning, "{Reason} The key is skipped.")]
    public static partial void IdentitySkipped(ILogger logger, string reason);

    [LoggerMessage(3315, LogLevel.Debug, "There is no key file {Path}.")]
    public static partial void IdentityAbsent(ILogger logger, string path);

    [LoggerMessage(3316, LogLevel.Debug, "The passphrase of {Path} was wrong.")]
    public static partial void PassphraseWrong(ILogger logger, string path);

    [LoggerMessage(3317, LogLevel.Warning, "{Reason} The key is used without it.")]
    public static partial void CertificateSkipped(ILogger logger, string reason);

    [LoggerMessage(3320, LogLevel.Warning, "{Path}:{Line}: {Reason}; it is skipped.")]
    public static partial void ConfigSkipped(ILogger logger, string path, int line, string reason);

    [LoggerMessage(3321, LogLevel.Debug, "On the way: {User} at {Host}.")]
    public static partial void RouteHost(ILogger logger, string user, string host);
}
