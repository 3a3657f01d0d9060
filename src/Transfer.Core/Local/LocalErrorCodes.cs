namespace Transfer.Local;

/// <summary>
/// The meaning of the systems' error numbers: errno of Linux (asm-generic/errno.h), errno of macOS (sys/errno.h) and Windows' system error
/// codes. A number that is not listed, and every error of a device or of the path to a device, is <see cref="TransferError.Unknown"/>: a
/// failing disk is no matter of permission, and makes no file absent.
/// </summary>
internal static class LocalErrorCodes
{
    private static readonly (string Name, int Linux, int MacOS, TransferError Error)[] Errnos =
    [
        ("EPERM", 1, 1, TransferError.Denied),
        ("ENOENT", 2, 2, TransferError.NotFound),
        ("EACCES", 13, 13, TransferError.Denied),
        ("EBUSY", 16, 16, TransferError.Denied),
        ("EEXIST", 17, 17, TransferError.Exists),
        ("EXDEV", 18, 18, TransferError.Unsupported),
        ("ENOTDIR", 20, 20, TransferError.NotFound),
        ("EISDIR", 21, 21, TransferError.Exists),
        ("EINVAL", 22, 22, TransferError.Unsupported),
        ("ENFILE", 23, 23, TransferError.Quota),
        ("EMFILE", 24, 24, TransferError.Quota),
        ("ETXTBSY", 26, 26, TransferError.Denied),
        ("EFBIG", 27, 27, TransferError.Quota),
        ("ENOSPC", 28, 28, TransferError.Quota),
        ("EROFS", 30, 30, TransferError.Denied),
        ("EMLINK", 31, 31, TransferError.Quota),
        ("EAGAIN", 11, 35, TransferError.Denied),
        ("ENAMETOOLONG", 36, 63, TransferError.Unsupported),
        ("ENOSYS", 38, 78, TransferError.Unsupported),
        ("ENOTEMPTY", 39, 66, TransferError.Exists),
        ("ELOOP", 40, 62, TransferError.Unsupported),
        ("EOVERFLOW", 75, 84, TransferError.Unsupported),
        ("EILSEQ", 84, 92, TransferError.Unsupported),
        ("ENOTSUP", 95, 45, TransferError.Unsupported),
        ("EOPNOTSUPP", 95, 102, TransferError.Unsupported),
        ("EDQUOT", 122, 69, TransferError.Quota),
    ];

    private static readonly (string Name, int Code, TransferError Error)[] Codes =
    [
        ("ERROR_INVALID_FUNCTION", 1, TransferError.Unsupported),
        ("ERROR_FILE_NOT_FOUND", 2, TransferError.NotFound),
        ("ERROR_PATH_NOT_FOUND", 3, TransferError.NotFound),
        ("ERROR_TOO_MANY_OPEN_FILES", 4, TransferError.Quota),
        ("ERROR_ACCESS_DENIED", 5, TransferError.Denied),
        ("ERROR_NOT_SAME_DEVICE", 17, TransferError.Unsupported),
        ("ERROR_WRITE_PROTECT", 19, TransferError.Denied),
        ("ERROR_SHARING_VIOLATION", 32, TransferError.Denied),
        ("ERROR_LOCK_VIOLATION", 33, TransferError.Denied),
        ("ERROR_HANDLE_DISK_FULL", 39, TransferError.Quota),
        ("ERROR_NOT_SUPPORTED", 50, TransferError.Unsupported),
        ("ERROR_FILE_EXISTS", 80, TransferError.Exists),
        ("ERROR_INVALID_PARAMETER", 87, TransferError.Unsupported),
        ("ERROR_DISK_FULL", 112, TransferError.Quota),
        ("ERROR_INVALID_NAME", 123, TransferError.Unsupported),
        ("ERROR_DIR_NOT_EMPTY", 145, TransferError.Exists),
        ("ERROR_BUSY", 170, TransferError.Denied),
        ("ERROR_ALREADY_EXISTS", 183, TransferError.Exists),
        ("ERROR_FILENAME_EXCED_RANGE", 206, TransferError.Unsupported),
        ("ERROR_FILE_TOO_LARGE", 223, TransferError.Quota),
        ("ERROR_DIRECTORY", 267, TransferError.NotFound),
        ("ERROR_TOO_MANY_LINKS", 1142, TransferError.Quota),
        ("ERROR_DISK_QUOTA_EXCEEDED", 1295, TransferError.Quota),
        ("ERROR_PRIVILEGE_NOT_HELD", 1314, TransferError.Denied),
        ("ERROR_CANT_ACCESS_FILE", 1920, TransferError.Denied),
        ("ERROR_CANT_RESOLVE_FILENAME", 1921, TransferError.Unsupported),
    ];

    private static readonly Dictionary<int, TransferError> OfLinux = ByNumber(Errnos, row => row.Linux, row => row.Error);

    private static readonly Dictionary<int, TransferError> OfMacOS = ByNumber(Errnos, row => row.MacOS, row => row.Error);

    private static readonly Dictionary<int, TransferError> OfWindows = ByNumber(Codes, row => row.Code, row => row.Error);

    /// <summary>The meaning of an errno of this system, which is not Windows.</summary>
    public static TransferError FromErrno(int errno) => FromErrno(errno, OperatingSystem.IsMacOS());

    /// <summary>The meaning of an errno.</summary>
    /// <param name="errno">The number.</param>
    /// <param name="isMacOS">Whether the number is one of macOS; else of Linux.</param>
    public static TransferError FromErrno(int errno, bool isMacOS) =>
        (isMacOS ? OfMacOS : OfLinux).GetValueOrDefault(errno, TransferError.Unknown);

    /// <summary>The meaning of a system error code of Windows, alone or as an HRESULT.</summary>
    public static TransferError FromWin32(int hresult) => OfWindows.GetValueOrDefault(hresult & 0xFFFF, TransferError.Unknown);

    // The first meaning of a number counts.
    private static Dictionary<int, TransferError> ByNumber<T>(IReadOnlyList<T> rows, Func<T, int> number, Func<T, TransferError> error)
    {
        var meanings = new Dictionary<int, TransferError>(rows.Count);
        foreach (var row in rows) meanings.TryAdd(number(row), error(row));
        return meanings;
    }
}
