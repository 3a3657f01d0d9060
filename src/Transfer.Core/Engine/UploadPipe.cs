namespace Transfer.Engine;

/// <summary>A pipe that a session empties into a remote file.</summary>
internal sealed class UploadPipe : PipeContent
{
    public UploadPipe(BufferLease room)
        : base(room)
    {
    }

    public override bool CanReplay => NothingRead;

    public override ValueTask FinishAsync(long bytes) => CompleteReadingAsync();

    public override ValueTask AbandonAsync(TransferException? reason) => CompleteReadingAsync();
}
