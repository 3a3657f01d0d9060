using Transfer.Testing.Stores;


namespace Transfer.Testing.Sftp;

/// <summary>A store's exceptions as status codes.</summary>
internal static class StoreStatus
{
    public static (SftpTestStatus Status, string Text) Of(Exception error) => error switch
    {
        FileNotFoundException or DirectoryNotFoundException => (SftpTestStatus.NoSuchFile, "No such file or directory"),
        UnauthorizedAccessException => (SftpTestStatus.PermissionDenied, "Permission denied"),
        NotSupportedException => (SftpTestStatus.Unsupported, "Operation unsupported"),
        IOException io when DiskFull.IsDiskFull(io) => (SftpTestStatus.Failure, "No space left"),
        IOException => (SftpTestStatus.Failure, error.Message.ReplaceLineEndings(" ")),
        _ => (SftpTestStatus.Failure, "The name is not allowed"),
    };
}
