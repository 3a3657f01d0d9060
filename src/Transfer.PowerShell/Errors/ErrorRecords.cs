using System.Management.Automation;

namespace Transfer.PowerShell.Errors;

/// <summary>Records of errors, which scripts distinguish by ErrorId <c>Transfer.NAME</c>, category, and target object.</summary>
internal static class ErrorRecords
{
    /// <summary>The record of an exception.</summary>
    /// <param name="error">The exception.</param>
    /// <param name="target">The target object, which is recorded without the password of a URL; null: none in particular.</param>
    /// <param name="advice">The recommended action; null: that of the kind of error, if there is one.</param>
    public static ErrorRecord Of(Exception error, object? target, string? advice = null)
    {
        var transfer = error as TransferException;
        var record = new ErrorRecord(error, $"Transfer.{transfer?.Error.ToString() ?? error.GetType().Name}", Category(error),
            ShownUrl.Of(target ?? transfer?.RemotePath));
        advice ??= transfer is null ? null : Advice(transfer.Error);
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

    /// <summary>The recommended action of a kind of error, where the command has no parameter that helps.</summary>
    public static string Advice(TransferError error) => error switch
    {
        TransferError.NotFound => "Check the path: relative ones start from the server's folder, and Get-TransferEntry lists a folder.",
        TransferError.Exists => "Take another name, or delete the entry that has the name.",
        TransferError.Denied => "Ask the server's administrator for the permission.",
        TransferError.Quota => "Make room at the target.",
        TransferError.Partial => "Run the command again. The list lacks entries: do not take entries that are not in the list for deleted.",
        TransferError.Auth => "Check -Credential and -IdentityFile.",
        TransferError.HostKey =>
            "Compare the fingerprint with that of the server's administrator, and give it as -Pin SHA256:…, or give -AcceptNewHostKey "
            + "at the first connection.",
        TransferError.Tls =>
            "Compare the certificate's fingerprint with that of the server's administrator, and give it as -Pin SHA256:….",
        TransferError.Lost or TransferError.Timeout => "Run the command again.",
        TransferError.Integrity => "Run the command again, when no other program writes the file.",
        TransferError.Unsupported => "Leave out the parameter that the message names, or connect by another protocol.",
        TransferError.Protocol => "Run the command again with -Debug, and show the messages to the server's administrator.",
        _ => "Run the command again with -Verbose and -Debug: the messages before the error give the reason.",
    };
}
