namespace Transfer.Tests.Hosting;

/// <summary>Content of which there is a byte at once, and the end only when it is released.</summary>
internal sealed class HeldStream : MemoryStream
{
    private readonly TaskCompletionSource _read = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _released = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public HeldStream()
        : base([1])
    {
    }

    public override bool CanSeek => false;

    /// <summary>Somebody waits for the end.</summary>
    public Task WasRead => _read.Task.WaitAsync(Eventually.Hang);

    public void Release() => _released.TrySetResult();

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (await base.ReadAsync(buffer, cancellationToken) is > 0 and var read) return read;
        _read.TrySetResult();
        await _released.Task.WaitAsync(cancellationToken);
        return 0;
    }
}
