namespace Transfer.Local;

/// <summary>What the local file system's exceptions mean. The only place where errno values and Win32 codes are looked at.</summary>
internal static class LocalErrors
{
    // Unix: .NET puts the raw errno into HResult. Linux and macOS disagree on some.
    private const int Enoent = 2;
    private const int Eexist = 17;
    private const int Enotdir = 20;
    private const int Eisdir = 21;
    private const int Enfile = 23;
    private const int Emfile = 24;
    private const int Efbig = 27;
    private const int Enospc = 28;
    private static readonly int Enametoolong = OperatingSystem.IsLinux() ? 36 : 63;
    private static readonly int Enotempty = OperatingSystem.IsLinux() ? 39 : 66;
    private static readonly int Eloop = OperatingSystem.IsLinux() ? 40 : 62;
    private static readonly int Edquot = OperatingSystem.IsLinux() ? 122 : 69;

    /// <summary>True for what <see cref="Map"/> is about: anything else is a mistake of ours and must show as such.</summary>
    public static bool IsLocal(Exception exception) =>
        exception is not TransferException
        && exception is IOException or UnauthorizedAccessException or NotSupportedException or System.Security.SecurityException;

    /// <summary>The exception to throw instead; <paramref name="what"/> starts its message, as in "Cannot write".</summary>
    public static TransferException Map(Exception exception, string what, string path) =>
        exception as TransferException
        ?? new TransferException(Classify(exception), $"{what} {path}: {exception.Message}", exception) { IsTransient = exception is IOException && IsTransient(exception.HResult) };

    /// <summary>Too many files are open, in this process or on the machine: some are closed soon.</summary>
    internal static bool IsTransient(int hresult) => OperatingSystem.IsWindows() ? (hresult & 0xFFFF) == 4 : hresult is Emfile or Enfile;

    /// <summary>As a Unix says it where a name that must be new is not.</summary>
    internal static IOException SomethingIsThere() => new("Something is there.", Eexist);

    private static TransferError Classify(Exception exception) => exception switch
    {
        FileNotFoundException or DirectoryNotFoundException => TransferError.NotFound,
        PathTooLongException or NotSupportedException => TransferError.Unsupported,
        IOException io => OperatingSystem.IsWindows() ? FromWin32(io.HResult) : FromErrno(io.HResult),
        _ => TransferError.Denied,
    };

    internal static TransferError FromErrno(int errno) =>
        errno is Eexist or Eisdir || errno == Enotempty ? TransferError.Exists
        : errno is Enospc or Efbig or Emfile or Enfile || errno == Edquot ? TransferError.Quota
        : errno is Enoent or Enotdir ? TransferError.NotFound
        : errno == Enametoolong || errno == Eloop ? TransferError.Unsupported
        : TransferError.Denied;

    internal static TransferError FromWin32(int hresult) => (hresult & 0xFFFF) switch
    {
        2 or 3 => TransferError.NotFound, // FILE_NOT_FOUND, PATH_NOT_FOUND
        80 or 145 or 183 => TransferError.Exists, // FILE_EXISTS, DIR_NOT_EMPTY, ALREADY_EXISTS
        4 or 39 or 112 or 223 or 1295 => TransferError.Quota, // TOO_MANY_OPEN_FILES, HANDLE_DISK_FULL, DISK_FULL, FILE_TOO_LARGE, DISK_QUOTA_EXCEEDED
        123 or 206 => TransferError.Unsupported, // INVALID_NAME, FILENAME_EXCED_RANGE
        _ => TransferError.Denied,
    };
}
