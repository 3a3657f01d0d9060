using Microsoft.Extensions.Logging;

namespace Transfer.Batch;

internal static partial class Log
{
    [LoggerMessage(5300, LogLevel.Information, "Job {Job} begins in the spool, for {Recipients} recipients.")]
    public static partial void SpoolJobBegun(ILogger logger, string job, int recipients);

    [LoggerMessage(5301, LogLevel.Information, "Job {Job} was confirmed by all recipients and is deleted.")]
    public static partial void SpoolJobDone(ILogger logger, string job);

    [LoggerMessage(5302, LogLevel.Warning, "Job {Job} is deleted because its deadline has passed. It was never confirmed by: {Recipients}")]
    public static partial void SpoolJobExpired(ILogger logger, string job, string recipients);

    [LoggerMessage(5303, LogLevel.Debug, "Job {Job} is passed over: {Reason}")]
    public static partial void SpoolJobPassedOver(ILogger logger, string job, string reason);

    [LoggerMessage(5304, LogLevel.Warning, "Earlier jobs in the spool could not be looked at: {Reason}")]
    public static partial void SpoolNotCleaned(ILogger logger, string reason);

    [LoggerMessage(5305, LogLevel.Warning, "{Path} could not be deleted: {Reason}")]
    public static partial void SpoolFileLeft(ILogger logger, string path, string reason);

    [LoggerMessage(5315, LogLevel.Warning, "The journal of a job that is done could not be deleted: {Reason}")]
    public static partial void SpoolJournalStays(ILogger logger, string reason);

    [LoggerMessage(5306, LogLevel.Warning, "The spool has more than {Count} jobs: the others are not looked at.")]
    public static partial void SpoolFull(ILogger logger, int count);

    [LoggerMessage(5307, LogLevel.Debug, "Archive {Archive} of job {Job} is not taken: {Error}: {Reason}")]
    public static partial void SpoolArchiveRefused(ILogger logger, string job, long archive, TransferError error, string reason);

    [LoggerMessage(5314, LogLevel.Information,
        "Job {Job} is taken once more: its archives have all come, but of a file in slices some are gone that an earlier run had")]
    public static partial void SpoolJobTakenAgain(ILogger logger, string job);

    [LoggerMessage(5308, LogLevel.Warning, "The spool can't be reached, and is tried again: {Reason}")]
    public static partial void SpoolLost(ILogger logger, string reason);

    [LoggerMessage(5310, LogLevel.Warning,
        "{Recipient} does not have {Count} of the files of job {Job} as they were sent; the next job has them whole: {Paths}")]
    public static partial void SpoolFilesLacking(ILogger logger, string recipient, int count, string job, string paths);

    [LoggerMessage(5311, LogLevel.Warning,
        "The confirmation of job {Job} by all recipients can't be recorded, so the files travel whole next time: {Reason}")]
    public static partial void SpoolVersionLost(ILogger logger, string job, string reason);

    [LoggerMessage(5312, LogLevel.Information,
        "Job {Job} was confirmed by all recipients and its archives are deleted; its sender deletes the rest.")]
    public static partial void SpoolArchivesDone(ILogger logger, string job);

    [LoggerMessage(5313, LogLevel.Warning, "Something in {Spool} is sealed with another passphrase than the one given here.")]
    public static partial void SpoolOtherPassphrase(ILogger logger, string spool);

    [LoggerMessage(5309, LogLevel.Information, "Job {Job} has been received.")]
    public static partial void SpoolJobReceived(ILogger logger, string job);
}
