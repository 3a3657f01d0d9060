namespace Transfer.Fleet;

/// <summary>The log.</summary>
internal static partial class FleetLog
{
    [LoggerMessage(1, LogLevel.Information, "{Plan}: {Files} files, {Bytes} bytes, {Deletions} to delete")]
    public static partial void Planned(ILogger logger, string plan, long files, long bytes, long deletions);

    [LoggerMessage(2, LogLevel.Warning, "{Plan}: {Path} cannot be planned")]
    public static partial void NotPlanned(ILogger logger, string plan, string path, Exception error);

    [LoggerMessage(3, LogLevel.Information, "{Plan}, {Part}: {Files} sent, {Confirmed} confirmed, {Failed} failed")]
    public static partial void Applied(ILogger logger, string plan, string part, long files, long confirmed, long failed);

    [LoggerMessage(4, LogLevel.Warning, "{Plan}, {Part}: the worker before has died; the step runs again")]
    public static partial void Recovered(ILogger logger, string plan, string part);

    [LoggerMessage(5, LogLevel.Error, "{Plan}, {Part} has failed")]
    public static partial void Failed(ILogger logger, string plan, string part, Exception error);
}
