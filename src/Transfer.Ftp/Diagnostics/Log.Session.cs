using Microsoft.Extensions.Logging;

namespace Transfer.Ftp;

internal static partial class Log
{
    [LoggerMessage(2100, LogLevel.Debug, "Logged in at {Host}: {Banner} ({Flavor}), pipelining {Pipelining}, {Protocol}")]
    public static partial void LoggedIn(ILogger logger, string host, string banner, string flavor, string pipelining, string protocol);

    [LoggerMessage(2101, LogLevel.Information, "{Host}: {Ability} goes from {Rung} to {Next} ({Reason})")]
    public static partial void RungLeft(ILogger logger, string host, string ability, string rung, string next, string reason);

    [LoggerMessage(2102, LogLevel.Warning,
        "{Host} does not confirm the end of files ({Reason}): they count as whole where the length and the server's reply agree")]
    public static partial void EndUnconfirmed(ILogger logger, string host, string reason);

    [LoggerMessage(2104, LogLevel.Warning, "The password for {Host} travels in the clear: plain FTP has no encryption")]
    public static partial void PasswordInTheClear(ILogger logger, string host);

    [LoggerMessage(2105, LogLevel.Debug, "{Command} was answered with {Code}; the file keeps the server's value")]
    public static partial void AttributeNotSet(ILogger logger, string command, int code);

    [LoggerMessage(2106, LogLevel.Warning, "The temporary file {Path} could not be deleted ({Code})")]
    public static partial void TemporaryFileLeft(ILogger logger, string path, int code);

    [LoggerMessage(2107, LogLevel.Debug, "A name that is to be replaced could not be looked at: {Reason}")]
    public static partial void NotSeen(ILogger logger, string reason);

    [LoggerMessage(2112, LogLevel.Warning, "{Path} was replaced; the old file could not be deleted and is left in {Aside}")]
    public static partial void AsideLeft(ILogger logger, string path, string aside);

    [LoggerMessage(2108, LogLevel.Debug, "A transfer that was given up is ended by ABOR")]
    public static partial void Aborting(ILogger logger);

    [LoggerMessage(2109, LogLevel.Warning, "The server does not offer {Feature}: {Consequence}")]
    public static partial void FeatureMissing(ILogger logger, string feature, string consequence);

    [LoggerMessage(2110, LogLevel.Debug,
        "{Path}: a transfer is cut at {End}; behind it {Waiting} bytes have come, and {UnderWay} at most are under way")]
    public static partial void RangeCut(ILogger logger, string path, long end, int waiting, int underWay);

    [LoggerMessage(2113, LogLevel.Information, "{Path}: more comes than the {Length} bytes that the server told: the transfer is cut")]
    public static partial void LengthExceeded(ILogger logger, string path, long length);

    [LoggerMessage(2115, LogLevel.Information, "{Host} does not answer {Command} in a log-in, which is done again")]
    public static partial void CommandLeftOut(ILogger logger, string host, string command);

    [LoggerMessage(2116, LogLevel.Information, "The server does not answer RNFR: nothing is renamed there any more by this process")]
    public static partial void RenamesLeftOut(ILogger logger);

    [LoggerMessage(2114, LogLevel.Warning, "{Host} takes no connection now ({Reason}): the next try is in {Seconds:0.#} s")]
    public static partial void TakesNoConnection(ILogger logger, string host, string reason, double seconds);
}
