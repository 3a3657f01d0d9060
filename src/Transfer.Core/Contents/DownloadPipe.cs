namespace Transfer.Contents;

/// <summary>A pipe that a session fills from a remote file.</summary>
internal sealed class DownloadPipe : PipeContent
{
    private readonly ReceivedEnds? _ends; // null: a small file is begun again by its reader

    public DownloadPipe(BudgetShare room, long start = 0, long? length = null)
        : base(room, start, length)
    {
        if (length is not <= LargeLength) _ends = new ReceivedEnds(start);
    }

    public override bool CanReplay => NothingWritten;

    public override async ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken ct)
    {
        await base.WriteAsync(offset, data, ct).ConfigureAwait(false);
        _ends?.Add(offset, data.Span);
    }

    public override ValueTask<int> ReadBackAsync(long offset, Memory<byte> buffer, CancellationToken ct) =>
        new(_ends?.Read(offset, buffer.Span) ?? 0);

    public override ValueTask FinishAsync(long bytes) => CompleteWritingAsync(null);

    public override ValueTask AbandonAsync(TransferException? reason) =>
        CompleteWritingAsync(reason ?? (Exception)new OperationCanceledException("The transfer was cancelled."));
}
