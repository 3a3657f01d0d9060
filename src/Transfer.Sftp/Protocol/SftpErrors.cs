namespace Transfer.Sftp.Protocol;

/// <summary>Maps status codes to errors. The server's text becomes part of the message and decides nothing.</summary>
internal static class SftpErrors
{
    private const int MaxText = 200;

    /// <summary>Returns the error that a refusal stands for.</summary>
    /// <param name="reply">The refusal; also an OK where the protocol has none.</param>
    /// <param name="request">The request's description, for the message.</param>
    /// <param name="path">The path concerned, if there is one.</param>
    /// <param name="failure">
    /// The meaning of <see cref="SftpStatus.Failure"/> here: version 3 has no codes for a full disk, an existing target or a directory
    /// that is not empty, so servers answer FAILURE to all of them.
    /// </param>
    public static TransferException ToException(in SftpReply reply, string request, string? path,
        TransferError failure = TransferError.Denied)
    {
        var text = reply.Text is not { Length: > 0 and var length } said ? string.Empty : $" ({said[..Math.Min(length, MaxText)]})";
        return new TransferException(Map(reply.Status, failure),
            $"{request}{(path is null ? string.Empty : " " + path)}: {Name(reply.Status)}{text}.")
        {
            RemotePath = path,
            ServerCode = (int)Math.Min((uint)reply.Status, int.MaxValue),
            IsTransient = false,
        };
    }

    public static TransferError Map(SftpStatus status, TransferError failure) => status switch
    {
        SftpStatus.NoSuchFile or SftpStatus.NoSuchPath or SftpStatus.LinkLoop => TransferError.NotFound,
        SftpStatus.PermissionDenied or SftpStatus.WriteProtected or SftpStatus.NoMedia => TransferError.Denied,
        SftpStatus.FileAlreadyExists => TransferError.Exists,
        SftpStatus.NoSpace or SftpStatus.QuotaExceeded => TransferError.Quota,
        SftpStatus.Unsupported => TransferError.Unsupported,
        SftpStatus.NoConnection or SftpStatus.ConnectionLost => TransferError.Lost,
        SftpStatus.Ok or SftpStatus.EndOfFile or SftpStatus.BadMessage => TransferError.Protocol,
        _ => failure,
    };

    private static string Name(SftpStatus status) => Enum.IsDefined(status) ? $"status {(uint)status}, {status}" : $"status {(uint)status}";
}
