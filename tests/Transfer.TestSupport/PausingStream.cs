namespace Transfer.TestSupport;

/// <summary>Content, or the place for it, whose first buffer pauses the job.</summary>
internal sealed class PausingStream : MemoryStream
{
    /// <param name="content">What is read from it.</param>
    public PausingStream(params byte[] content)
    {
        Write(content);
        Position = 0;
    }

    public TaskCompletionSource<TransferJob> Job { get; } = new();

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (Position == 0) (await Job.Task).Pause();
        return await base.ReadAsync(buffer, cancellationToken);
    }

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (Position == 0) (await Job.Task).Pause();
        await base.WriteAsync(buffer, cancellationToken);
    }
}
