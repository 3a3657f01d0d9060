using Microsoft.Extensions.Logging;

namespace Transfer.Batch;

internal static partial class Log
{
    [LoggerMessage(5400, LogLevel.Debug, "{Folder} could not be deleted by a command: {Reason}")]
    public static partial void NotRemovedByShell(ILogger logger, string folder, string reason);

    [LoggerMessage(5401, LogLevel.Warning, "{Folder} is left behind at the server: {Reason}")]
    public static partial void FolderLeft(ILogger logger, string folder, string reason);

    [LoggerMessage(5402, LogLevel.Information, "The folder goes file by file: {Reason}")]
    public static partial void NotBatched(ILogger logger, string reason);

    [LoggerMessage(5403, LogLevel.Information, "The folder goes in a batch, by {Way} over {Lanes} channels.")]
    public static partial void Batched(ILogger logger, BatchWay way, int lanes);

    [LoggerMessage(5404, LogLevel.Warning, "A command at the server failed, and what it had goes file by file: {Reason}")]
    public static partial void CommandFailed(ILogger logger, string reason);

    [LoggerMessage(5406, LogLevel.Information, "{Folder} is not renamed as a whole, but moved file by file: {Reason}")]
    public static partial void NotRenamed(ILogger logger, string folder, string reason);

    [LoggerMessage(5407, LogLevel.Information, "The server's tar is used, and not its transfer: {Reason}")]
    public static partial void NoReceiver(ILogger logger, string reason);

    [LoggerMessage(5408, LogLevel.Information,
        "By {Way} {BatchFiles} files took {BatchSeconds:F2} s, file by file {SingleFiles} took {SingleSeconds:F2} s.")]
    public static partial void Tried(
        ILogger logger, BatchWay way, int batchFiles, double batchSeconds, int singleFiles, double singleSeconds);

    [LoggerMessage(5405, LogLevel.Debug, "{Files} items go file by file behind the batch.")]
    public static partial void Rest(ILogger logger, int files);
}
