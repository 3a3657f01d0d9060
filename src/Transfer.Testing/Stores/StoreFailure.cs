namespace Transfer.Testing.Stores;

/// <summary>A store's exceptions as replies (RFC 959 4.2.1).</summary>
internal static class StoreFailure
{
    public static bool IsStoreFailure(Exception error) =>
        error is IOException or UnauthorizedAccessException or NotSupportedException or ArgumentException;

    public static (int Code, string Text) Reply(Exception error) => error switch
    {
        FileNotFoundException or DirectoryNotFoundException => (550, "No such file or directory."),
        UnauthorizedAccessException => (550, "Permission denied."),
        IOException io when DiskFull.IsDiskFull(io) => (552, "No space left."),
        IOException => (550, error.Message.ReplaceLineEndings(" ")),
        _ => (553, "The name is not allowed."),
    };
}
