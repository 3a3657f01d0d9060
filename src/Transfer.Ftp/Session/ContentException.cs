namespace Transfer.Ftp.Session;

/// <summary>The local end of a transfer failed, not the connection.</summary>
internal sealed class ContentException : Exception
{
    public ContentException(Exception cause)
        : base(cause.Message, cause) =>
        Error = cause switch
        {
            // The connection of the caller's stream is another one than this session's.
            TransferConnectionException other => other.WithMessage(other.Message),
            TransferException known => known,
            _ => new TransferException(TransferError.Lost, $"The local end of the transfer failed: {cause.Message}", cause)
            {
                IsTransient = false,
            },
        };

    /// <summary>The error of the item.</summary>
    public TransferException Error { get; }
}
