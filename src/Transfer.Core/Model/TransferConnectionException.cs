namespace Transfer;

/// <summary>The session is gone, or was never there: what it was asked must be asked again on another one.</summary>
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
