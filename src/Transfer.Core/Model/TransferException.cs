namespace Transfer;

/// <summary>An operation was refused or failed; the session is still usable unless the exception is a
/// <see cref="TransferConnectionException"/>.</summary>
public class TransferException : IOException
{
    /// <summary>Creates an exception of a given kind. The message gets the form of <see cref="PrintableText"/>: names and servers' texts
    /// begin no lines of their own.</summary>
    public TransferException(TransferError error, string message, Exception? innerException = null)
        : base(PrintableText.Of(message), innerException)
    {
        Error = error;
        IsTransient = error is TransferError.Timeout or TransferError.Lost;
    }

    /// <summary>Creates a protocol error without details.</summary>
    public TransferException()
        : this(TransferError.Protocol, "The transfer failed.")
    {
    }

    /// <summary>Creates a protocol error.</summary>
    public TransferException(string message)
        : this(TransferError.Protocol, message)
    {
    }

    /// <summary>Creates a protocol error with a cause.</summary>
    public TransferException(string message, Exception innerException)
        : this(TransferError.Protocol, message, innerException)
    {
    }

    /// <summary>The kind of failure.</summary>
    public TransferError Error { get; }

    /// <summary>Whether the same request may succeed later without any change.</summary>
    public bool IsTransient { get; init; }

    /// <summary>The remote path concerned, if there is one.</summary>
    public string? RemotePath { get; init; }

    /// <summary>The protocol's own code: an FTP reply code (RFC 959 4.2) or an SFTP status.</summary>
    public int? ServerCode { get; init; }

    /// <summary>Files at the target with content that could not get its final name, or be put back there: no run deletes them. Empty: there
    /// are none.</summary>
    public IReadOnlyList<string> Kept { get; init; } = [];

    /// <summary>Whether the server renames no files: only an upload under the file's own name (<see cref="PublishMode.Direct"/>) can put
    /// the file there.</summary>
    public bool NeedsDirectPublish { get; init; }

    /// <summary>Whether the log has a line for this failure, so that the operation that fails with it adds none.</summary>
    internal bool IsLogged { get; set; }

    /// <summary>The same failure in other words: this exception becomes the cause, and everything but the message is copied. Only the cause
    /// shows the type of a lost connection.</summary>
    /// <param name="message">The message.</param>
    /// <param name="remotePath">The remote path concerned; null: the same.</param>
    public TransferException WithMessage(string message, string? remotePath = null) => new(Error, message, this)
    {
        IsTransient = IsTransient,
        RemotePath = remotePath ?? RemotePath,
        ServerCode = ServerCode,
        Kept = Kept,
        NeedsDirectPublish = NeedsDirectPublish,
    };
}
