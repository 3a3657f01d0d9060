namespace Transfer.Contents;

/// <summary>Failures of an application's own stream.</summary>
internal static class StreamFault
{
    /// <summary>Hands the exception over, and returns the one for the session: the file fails, is not tried again, and the session goes
    /// on.</summary>
    public static TransferException Of(Exception exception, string end, Action<Exception> onFault)
    {
        onFault(exception);
        return new TransferException(TransferError.Unknown, $"The {end} stream failed: {exception.Message}", exception);
    }
}
