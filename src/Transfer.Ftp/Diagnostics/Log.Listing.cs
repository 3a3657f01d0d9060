using Microsoft.Extensions.Logging;

namespace Transfer.Ftp;

/// <summary>Messages about listings: 2200 to 2299.</summary>
internal static partial class Log
{
    [LoggerMessage(2200, LogLevel.Warning, "{Count} lines of the listing of {Directory} were not understood and skipped.")]
    public static partial void ListingLinesSkipped(ILogger logger, int count, string directory);

    [LoggerMessage(2201, LogLevel.Warning, "{Count} names in the listing of {Directory} hold a slash, CR or NUL and were dropped.")]
    public static partial void ListingNamesDropped(ILogger logger, int count, string directory);

    [LoggerMessage(2202, LogLevel.Debug, "{Directory} could not be listed again to distinguish directories from links: {Reason}")]
    public static partial void ProofMissing(ILogger logger, string directory, string reason);

    [LoggerMessage(2203, LogLevel.Information,
        "{Directory} has more entries than the server lists, and could not be listed in parts: {Reason}")]
    public static partial void NoWindows(ILogger logger, string directory, string reason);

    [LoggerMessage(2204, LogLevel.Warning,
        "{Directory} counts as empty, since the server refuses to list it ({Reason}); so will others. Nothing is deleted for that")]
    public static partial void ListingRefused(ILogger logger, string directory, string reason);

    [LoggerMessage(2205, LogLevel.Information, "{Directory} counts as empty, since the server refuses to list it ({Reason})")]
    public static partial void ListingRefusedAgain(ILogger logger, string directory, string reason);

    [LoggerMessage(2206, LogLevel.Debug, "{Directory} is listed again alone, since its listing among others was refused: {Reason}")]
    public static partial void ListingRefusedInBatch(ILogger logger, string directory, string reason);

    [LoggerMessage(2207, LogLevel.Debug, "STAT has shown the entries of {Found} directories of {Count} in one flight")]
    public static partial void FoundByStat(ILogger logger, int found, int count);
}
