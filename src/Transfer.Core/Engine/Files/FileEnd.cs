namespace Transfer.Engine.Files;

/// <summary>How a file of a job ended: with a result, with an error, or (neither) because it was cancelled.</summary>
internal readonly record struct FileEnd(TransferResult? Result, TransferException? Error)
{
    public static FileEnd Canceled => default;
}
