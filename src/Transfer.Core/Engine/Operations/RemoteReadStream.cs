namespace Transfer.Engine.Operations;

/// <summary>A remote file that is read. Synchronous calls block the thread until the asynchronous ones have ended.</summary>
internal abstract class RemoteReadStream : Stream
{
    private bool _disposed;

    public override bool CanRead => !_disposed;

    public override bool CanWrite => false;

    public abstract override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default);

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override int Read(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        return ReadAsync(buffer.AsMemory(offset, count), CancellationToken.None).AsTask().GetAwaiter().GetResult();
    }

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Flush()
    {
        // Nothing is ever written.
    }

    public sealed override async ValueTask DisposeAsync()
    {
        if (_disposed) return;
        _disposed = true;
        await ReleaseAsync().ConfigureAwait(false);
        await base.DisposeAsync().ConfigureAwait(false);
    }

    protected sealed override void Dispose(bool disposing)
    {
        if (disposing && !_disposed) DisposeAsync().AsTask().GetAwaiter().GetResult();
        base.Dispose(disposing);
    }

    /// <summary>Ends the downloads under way. Called once.</summary>
    protected abstract ValueTask ReleaseAsync();

    protected void ThrowIfDisposed() => ObjectDisposedException.ThrowIf(_disposed, this);
}
