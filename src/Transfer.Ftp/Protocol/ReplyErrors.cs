namespace Transfer.Ftp.Protocol;

internal static class ReplyErrors
{
    /// <summary>Null for <paramref name="writes"/>: the verb tells.</summary>
    public static TransferException ToException(FtpReply reply, FtpCommand command, string? path = null, bool? writes = null) => throw new NotImplementedException();
}
