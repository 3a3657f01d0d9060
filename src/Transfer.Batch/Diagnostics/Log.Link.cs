using Microsoft.Extensions.Logging;

namespace Transfer.Batch;

internal static partial class Log
{
    [LoggerMessage(5100, LogLevel.Information, "Job {Job} begins.")]
    public static partial void JobBegun(ILogger logger, string job);

    [LoggerMessage(5101, LogLevel.Warning, "Job {Job} is given up: {Reason}")]
    public static partial void JobAbandoned(ILogger logger, string job, string reason);

    [LoggerMessage(5102, LogLevel.Information, "A connection ended before its time: {Reason}")]
    public static partial void LaneLost(ILogger logger, string reason);

    [LoggerMessage(5103, LogLevel.Debug, "Archive {Index} is given up: {Reason}")]
    public static partial void ArchiveGivenUp(ILogger logger, long index, string reason);

    [LoggerMessage(5104, LogLevel.Warning, "Archive {Index} is refused: {Error}: {Reason}")]
    public static partial void ArchiveRefused(ILogger logger, long index, TransferError error, string reason);

    [LoggerMessage(5105, LogLevel.Error, "Archive {Index} failed unexpectedly.")]
    public static partial void ArchiveFault(ILogger logger, long index, Exception exception);

    [LoggerMessage(5106, LogLevel.Debug, "Lane {Lane} is open after {Milliseconds:0.0} ms.")]
    public static partial void LaneOpened(ILogger logger, int lane, double milliseconds);

    [LoggerMessage(5107, LogLevel.Information, "Lane {Lane} is tried again after failure {Failure} in a row: {Reason}")]
    public static partial void LaneRetried(ILogger logger, int lane, int failure, string reason);

    [LoggerMessage(5108, LogLevel.Warning, "One lane less for this job: {Error}: {Reason}")]
    public static partial void LaneRetired(ILogger logger, TransferError error, string reason);

    [LoggerMessage(5109, LogLevel.Information, "Archive {Index} is carried again after attempt {Attempt}: {Reason}")]
    public static partial void ArchiveRequeued(ILogger logger, long index, int attempt, string reason);

    [LoggerMessage(5110, LogLevel.Warning, "Everything is confirmed, but the receiver's last word was not heard: {Reason}")]
    public static partial void EndNotHeard(ILogger logger, string reason);

    [LoggerMessage(5112, LogLevel.Error, "A sender's question for a file failed unexpectedly.")]
    public static partial void AnswerFault(ILogger logger, Exception exception);

    [LoggerMessage(5113, LogLevel.Warning,
        "The receiver has been silent for {Seconds:0} s with requests for files open: files travel whole until the next answer.")]
    public static partial void QuestionsGivenUp(ILogger logger, double seconds);

    [LoggerMessage(5114, LogLevel.Information, "{Count} unfinished files of receivers that were killed are deleted in {Folder}.")]
    public static partial void LeftoversDeleted(ILogger logger, int count, string folder);

    [LoggerMessage(5115, LogLevel.Warning, "The leftovers of killed receivers in {Folder} can't be deleted: {Reason}")]
    public static partial void LeftoversStay(ILogger logger, string folder, string reason);

    [LoggerMessage(5116, LogLevel.Debug, "Unfinished files in {Folder} can't be marked: if this process is killed, they stay. {Reason}")]
    public static partial void RunNotMarked(ILogger logger, string folder, string reason);

    [LoggerMessage(5111, LogLevel.Warning, "The receiver was started again while the job was under way.")]
    public static partial void ReceiverRestarted(ILogger logger);

    [LoggerMessage(5117, LogLevel.Debug, "Brought to the disk: {FileSystems} times whole file systems, {Files} times file by file.")]
    public static partial void BroughtToDisk(ILogger logger, int fileSystems, int files);
}
