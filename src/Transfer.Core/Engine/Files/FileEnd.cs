namespace Transfer.Engine.Files;

/// <summary>The end of a file of a job: a result, an error, or (neither) cancellation.</summary>
internal readonly record struct FileEnd(TransferResult? Result, TransferException? Error)
{
    /// <summary>Whether the server's reply is the only sign of an upload: no look found the file, and none proved its absence.</summary>
    public bool IsUnseen { get; init; }

    public static FileEnd Canceled => default;
}
