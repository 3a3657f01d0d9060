namespace Transfer.Contents;

/// <summary>A pipe that a session empties into a remote file.</summary>
internal sealed class UploadPipe : PipeContent
{
    private readonly SentTail _tail = new();

    public UploadPipe(BudgetShare room)
        : base(room)
    {
    }

    public override bool CanReplay => NothingRead;

    public override async ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken ct)
    {
        var read = await base.ReadAsync(offset, buffer, ct).ConfigureAwait(false);
        _tail.Add(offset, buffer.Span[..read]);
        return read;
    }

    public override ValueTask<int> ReadBackAsync(long offset, Memory<byte> buffer, CancellationToken ct) =>
        new(_tail.Read(offset, buffer.Span));

    public override ValueTask FinishAsync(long bytes) => CompleteReadingAsync();

    public override ValueTask AbandonAsync(TransferException? reason) => CompleteReadingAsync();
}
