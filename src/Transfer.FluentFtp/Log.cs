using Microsoft.Extensions.Logging;

namespace Transfer.FluentFtp;

/// <summary>FluentFTP adapter: events 6100 to 6199.</summary>
internal static partial class Log
{
    [LoggerMessage(6100, LogLevel.Warning, "{Path} was replaced; the old file could not be deleted and is left in {Aside}")]
    public static partial void AsideLeft(ILogger logger, string path, string aside);
}
