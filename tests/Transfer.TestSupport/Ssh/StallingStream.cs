using Transfer.Sessions;

namespace Transfer.TestSupport.Ssh;

/// <summary>A stream whose writes can be made to wait until it is disposed.</summary>
internal sealed class StallingStream(Stream inner) : SequentialStream
{
    private readonly TaskCompletionSource _disposed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile bool _stalled;

    public bool IsDisposed => _disposed.Task.IsCompleted;

    public override bool CanRead => true;

    public override bool CanWrite => true;

    public void Stall() => _stalled = true;

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        inner.ReadAsync(buffer, cancellationToken);

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (_stalled)
        {
            await _disposed.Task;
            throw new ObjectDisposedException(nameof(StallingStream));
        }

        await inner.WriteAsync(buffer, cancellationToken);
    }

    public override void Flush() => inner.Flush();

    protected override void Dispose(bool disposing)
    {
        _disposed.TrySetResult();
        inner.Dispose();
        base.Dispose(disposing);
    }
}
