using Transfer.Local;

namespace Transfer.Cli.Host;

/// <summary>How the command ends.</summary>
internal static class ExitCode
{
    public const int Done = 0;

    /// <summary>Some items failed, or existed; or a failure that has no code of its own.</summary>
    public const int SomeFailed = 1;

    public const int Usage = 2;

    public const int NotFound = 3;

    /// <summary>Denied, or the log-in failed.</summary>
    public const int Denied = 4;

    /// <summary>No connection, or it was lost for good.</summary>
    public const int Connection = 5;

    /// <summary>A certificate or host key was refused.</summary>
    public const int Trust = 6;

    public const int Integrity = 7;

    public const int Interrupted = 130;

    /// <summary>Whether an exception is a failure of a server, a link or a disk, which has a code. Any other is a mistake of the
    /// program.</summary>
    public static bool IsFailure(Exception error) => error is TransferException || LocalErrors.IsLocal(error);

    /// <summary>The code for a job that was not done at all for one reason.</summary>
    public static int For(Exception error) => error switch
    {
        // No session comes about, as without a common algorithm of SSH.
        TransferConnectionException { Error: TransferError.Unsupported } => Connection,
        TransferException e => For(e.Error),
        OperationCanceledException => Interrupted,
        UsageException => Usage,
        FileNotFoundException or DirectoryNotFoundException => NotFound,
        UnauthorizedAccessException => Denied,
        _ => SomeFailed,
    };

    /// <summary>The code of several steps: theirs where all ended with the same, else 1.</summary>
    public static int OfAll(IReadOnlyCollection<int> codes) =>
        codes.Distinct().ToList() is var all && all.Count == 0 ? Done : all.Count == 1 ? all[0] : SomeFailed;

    private static int For(TransferError error) => error switch
    {
        TransferError.NotFound => NotFound,
        TransferError.Denied or TransferError.Auth => Denied,
        TransferError.Lost or TransferError.Timeout or TransferError.Protocol => Connection,
        TransferError.Tls or TransferError.HostKey => Trust,
        TransferError.Integrity => Integrity,
        _ => SomeFailed,
    };
}
