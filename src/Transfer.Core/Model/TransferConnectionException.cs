namespace Transfer;

/// <summary>The session is lost, or was never opened: the operation must be repeated on another session.</summary>
public sealed class TransferConnectionException : TransferException
{
    /// <summary>Creates an exception of a given kind.</summary>
    public TransferConnectionException(TransferError error, string message, Exception? innerException = null)
        : base(error, message, innerException)
    {
    }

    /// <summary>Creates an exception for a lost connection without details.</summary>
    public TransferConnectionException()
        : this(TransferError.Lost, "The connection was lost.")
    {
    }

    /// <summary>Creates an exception for a lost connection.</summary>
    public TransferConnectionException(string message)
        : this(TransferError.Lost, message)
    {
    }

    /// <summary>Creates an exception for a lost connection with a cause.</summary>
    public TransferConnectionException(string message, Exception innerException)
        : this(TransferError.Lost, message, innerException)
    {
    }
}
