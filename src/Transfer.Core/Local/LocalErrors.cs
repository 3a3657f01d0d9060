using Transfer.Local.Native;

namespace Transfer.Local;

/// <summary>The meaning of the exceptions of local file systems. On Unix .NET puts the raw errno into HResult.</summary>
public static class LocalErrors
{
    /// <summary>Whether <see cref="Map"/> is for an exception: one of a local file system. Any other is a mistake of the program, and must
    /// show as such.</summary>
    public static bool IsLocal(Exception exception) =>
        exception is not TransferException
        && exception is IOException or UnauthorizedAccessException or NotSupportedException or System.Security.SecurityException;

    /// <summary>The exception to throw instead; <paramref name="what"/> starts the message, as in "Cannot write".</summary>
    /// <param name="exception">The exception; a <see cref="TransferException"/> is returned unchanged.</param>
    /// <param name="what">The beginning of the message.</param>
    /// <param name="path">The path, which follows in the message.</param>
    /// <param name="unfinished">The temporary path of the file for <paramref name="path"/>, which the exception may name instead; null:
    /// there is none.</param>
    public static TransferException Map(Exception exception, string what, string path, string? unfinished = null) =>
        exception as TransferException
        ?? new TransferException(Classify(exception),
            $"{what} {path}: {(unfinished is null ? exception.Message : exception.Message.Replace(unfinished, path, StringComparison.Ordinal))}", exception)
        { IsTransient = exception is IOException && IsTransient(exception.HResult) };

    /// <summary>Whether too many files are open, in this process or on the machine: some are closed soon.</summary>
    internal static bool IsTransient(int hresult) =>
        OperatingSystem.IsWindows() ? (hresult & 0xFFFF) == 4 : hresult is Errno.TooManyOpen or Errno.TooManyOnMachine;

    /// <summary>The error of a Unix where a name that must be new is not.</summary>
    internal static IOException CreateExistsError() => new("Something is there.", Errno.Exists);

    private static TransferError Classify(Exception exception) => exception switch
    {
        FileNotFoundException or DirectoryNotFoundException => TransferError.NotFound,
        PathTooLongException or NotSupportedException => TransferError.Unsupported,
        IOException io when OperatingSystem.IsWindows() => LocalErrorCodes.FromWin32(io.HResult),
        IOException io => LocalErrorCodes.FromErrno(io.HResult),
        _ => TransferError.Denied,
    };
}
