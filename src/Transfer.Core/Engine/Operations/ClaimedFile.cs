namespace Transfer.Engine.Operations;

/// <summary>A file of a job whose target was claimed.</summary>
/// <param name="file">The file.</param>
/// <param name="refusal">Why the file does not go; null: it goes.</param>
internal sealed class ClaimedFile<T>(T file, TransferException? refusal)
{
    /// <summary>The file.</summary>
    public T File => file;

    /// <summary>Why the file does not go; null: it goes.</summary>
    public TransferException? Refusal => refusal;
}
