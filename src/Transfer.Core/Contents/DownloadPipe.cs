namespace Transfer.Contents;

/// <summary>A pipe that a session fills from a remote file.</summary>
internal sealed class DownloadPipe : PipeContent
{
    public DownloadPipe(BudgetShare room, long start = 0, long? length = null)
        : base(room, start, length)
    {
    }

    public override bool CanReplay => NothingWritten;

    public override ValueTask FinishAsync(long bytes) => CompleteWritingAsync(null);

    public override ValueTask AbandonAsync(TransferException? reason) =>
        CompleteWritingAsync(reason ?? (Exception)new OperationCanceledException("The transfer was cancelled."));
}
