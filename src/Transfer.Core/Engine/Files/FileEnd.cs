namespace Transfer.Engine.Files;

/// <summary>The end of a file of a job: a result, an error, or (neither) cancellation.</summary>
internal readonly record struct FileEnd(TransferResult? Result, TransferException? Error)
{
    public static FileEnd Canceled => default;
}
