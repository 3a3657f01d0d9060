using System.Management.Automation;

namespace Transfer.PowerShell.Errors;

/// <summary>Records of errors, which scripts distinguish by ErrorId <c>Transfer.NAME</c>, category, and target object.</summary>
internal static class ErrorRecords
{
    /// <summary>The record of an exception.</summary>
    /// <param name="error">The exception.</param>
    /// <param name="target">The target object; null: none in particular.</param>
    /// <param name="advice">The recommended action; null: that of the kind of error.</param>
    public static ErrorRecord Of(Exception error, object? target, string? advice = null)
    {
        var transfer = error as TransferException;
        var record = new ErrorRecord(error, $"Transfer.{transfer?.Error.ToString() ?? error.GetType().Name}", Category(error),
            target ?? transfer?.RemotePath);
        advice ??= Advice(transfer?.Error);
        if (advice is not null) record.ErrorDetails = new ErrorDetails(error.Message) { RecommendedAction = advice };
        return record;
    }

    private static ErrorCategory Category(Exception error) => error switch
    {
        TransferException transfer => transfer.Error switch
        {
            TransferError.NotFound => ErrorCategory.ObjectNotFound,
            TransferError.Exists => ErrorCategory.ResourceExists,
            TransferError.Denied => ErrorCategory.PermissionDenied,
            TransferError.Quota => ErrorCategory.QuotaExceeded,
            TransferError.Partial => ErrorCategory.ReadError,
            TransferError.Auth => ErrorCategory.AuthenticationError,
            TransferError.HostKey or TransferError.Tls => ErrorCategory.SecurityError,
            TransferError.Timeout => ErrorCategory.OperationTimeout,
            TransferError.Lost => ErrorCategory.ConnectionError,
            TransferError.Protocol => ErrorCategory.ProtocolError,
            TransferError.Integrity => ErrorCategory.InvalidResult,
            TransferError.Unsupported => ErrorCategory.NotImplemented,
            _ => ErrorCategory.NotSpecified,
        },
        ArgumentException => ErrorCategory.InvalidArgument,
        _ => ErrorCategory.NotSpecified,
    };

    private static string? Advice(TransferError? error) => error switch
    {
        TransferError.HostKey =>
            "Compare the fingerprint with that of the server's administrator, and give it as -Pin SHA256:…, or give -AcceptNewHostKey "
            + "at the first connection.",
        TransferError.Tls => "Compare the certificate's fingerprint with that of the server's administrator, and give it as -Pin SHA256:….",
        TransferError.Auth => "Check -Credential and -IdentityFile.",
        TransferError.Exists => "Give -Overwrite Always, Newer or Skip.",
        TransferError.Lost or TransferError.Timeout =>
            "Run the command again; one that was given -Resume from the beginning goes on where it was.",
        TransferError.Denied => "Ask the server's administrator for the permission.",
        TransferError.Quota => "Make room at the target.",
        _ => null,
    };
}
