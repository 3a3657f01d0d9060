namespace Transfer.Diagnostics;

/// <summary>The reason of a failure in the log's words: the runtime's own for work that was stopped name tasks and objects.</summary>
internal static class LogReason
{
    /// <summary>Returns the reason that an exception gives.</summary>
    public static string Of(Exception error) =>
        error is OperationCanceledException or ObjectDisposedException ? "stopped before an answer came" : error.Message;
}
