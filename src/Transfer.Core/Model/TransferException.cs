namespace Transfer;

/// <summary>An operation was refused or failed; the session it ran on is still usable unless it is a <see cref="TransferConnectionException"/>.</summary>
public class TransferException : IOException
{
    /// <summary>Creates an exception of a given kind. Its message gets the form of <see cref="PrintableText"/>: names and servers' texts in it make no line of their own.</summary>
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

    /// <summary>True when the same request may succeed later without anyone changing anything.</summary>
    public bool IsTransient { get; init; }

    /// <summary>The remote path concerned, if there is one.</summary>
    public string? RemotePath { get; init; }

    /// <summary>The protocol's own code: an FTP reply code (RFC 959 4.2) or an SFTP status.</summary>
    public int? ServerCode { get; init; }

    /// <summary>Files at the target that hold content which could not get its own name, or be put back there: nothing deletes them. Empty: there are none.</summary>
    public IReadOnlyList<string> Kept { get; init; } = [];

    /// <summary>The server renames no files: only an upload under the file's own name (<see cref="PublishMode.Direct"/>) can put it there.</summary>
    public bool NeedsDirectPublish { get; init; }

    /// <summary>The same failure in other words: this exception is its cause, and everything but the message is told again. A lost connection is told of as such by the cause only.</summary>
    /// <param name="message">What to say.</param>
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
