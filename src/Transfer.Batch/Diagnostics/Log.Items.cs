using Microsoft.Extensions.Logging;

namespace Transfer.Batch;

internal static partial class Log
{
    [LoggerMessage(5118, LogLevel.Warning, "{Path} failed: {Error}: {Reason}")]
    public static partial void ItemFailed(ILogger logger, string path, TransferError error, string reason);
}
