using Transfer.Local.Native;

namespace Transfer.Local;

/// <summary>The meaning of the exceptions of local file systems. On Unix .NET puts the raw errno into HResult.</summary>
public static class LocalErrors
{
    /// <summary>Whether <see cref="Map"/> is for an exception: one of a local file system. Any other is a mistake of the program, and must
    /// show as such.</summary>
    public static bool IsLocal(Exception exception) =>
        exception is not TransferException
        && (exception is IOException or UnauthorizedAccessException or NotSupportedException or System.Security.SecurityException
            || IsTooLarge(exception));

    /// <summary>The reason of an exception of a local file system, in words.</summary>
    public static string Describe(Exception exception) =>
        IsTooLarge(exception) ? "No file may be as large here: the file system or the process (ulimit -f) has a limit." : exception.Message;

    /// <summary>The exception to throw instead; <paramref name="what"/> starts the message, as in "Cannot write".</summary>
    /// <param name="exception">The exception; a <see cref="TransferException"/> is returned unchanged.</param>
    /// <param name="what">The beginning of the message.</param>
    /// <param name="path">The path, which follows in the message.</param>
    /// <param name="unfinished">The temporary path of the file for <paramref name="path"/>, which the exception may name instead; null:
    /// there is none.</param>
    public static TransferException Map(Exception exception, string what, string path, string? unfinished = null)
    {
        if (exception is TransferException mapped) return mapped;
        var reason = Describe(exception);
        if (unfinished is not null) reason = reason.Replace(unfinished, path, StringComparison.Ordinal);
        return new TransferException(Classify(exception), $"{what} {path}: {reason}", exception)
        {
            IsTransient = exception is IOException && IsTransient(exception.HResult)
        };
    }

    /// <summary>Whether too many files are open, in this process or on the machine: some are closed soon.</summary>
    internal static bool IsTransient(int hresult) =>
        OperatingSystem.IsWindows() ? (hresult & 0xFFFF) == 4 : hresult is Errno.TooManyOpen or Errno.TooManyOnMachine;

    /// <summary>The error of a Unix where a name that must be new is not.</summary>
    internal static IOException CreateExistsError() => new("Something is there.", Errno.Exists);

    // The framework's exception for EFBIG, from any call that writes a file. An argument that a program has wrong is named by other words.
    private static bool IsTooLarge(Exception exception) =>
        exception is ArgumentOutOfRangeException { ParamName: "value", ActualValue: null }
        && exception.Message.Contains("file", StringComparison.OrdinalIgnoreCase);

    private static TransferError Classify(Exception exception) => exception switch
    {
        ArgumentOutOfRangeException => TransferError.Quota,
        FileNotFoundException or DirectoryNotFoundException => TransferError.NotFound,
        PathTooLongException or NotSupportedException => TransferError.Unsupported,
        IOException io when OperatingSystem.IsWindows() => LocalErrorCodes.FromWin32(io.HResult),
        IOException io => LocalErrorCodes.FromErrno(io.HResult),
        _ => TransferError.Denied,
    };
}
