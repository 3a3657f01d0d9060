namespace Transfer.SshNet.Session;

/// <summary>
/// The local end of a transfer, in a wrapper for SSH.NET, which may still use the stream when its call was given up: after
/// <see cref="DetachAsync"/> nothing is read or written any more.
/// </summary>
/// <param name="content">The local end.</param>
/// <param name="watch">The watch over the call.</param>
internal sealed class GuardedContent(Stream content, IdleWatch watch) : Stream
{
    private readonly SemaphoreSlim _turn = new(1);
    private bool _isDetached;

    /// <summary>Whether the local end was used: the remote file was then opened.</summary>
    public bool HasBegun { get; private set; }

    public override bool CanRead => content.CanRead;

    public override bool CanWrite => content.CanWrite;

    public override bool CanSeek => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Waits until SSH.NET does not use the local end, and prevents any later use.</summary>
    public async Task DetachAsync()
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        _isDetached = true;
        _turn.Release();
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        await UseAsync(() => content.ReadAsync(buffer, cancellationToken)).ConfigureAwait(false);

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
        await UseAsync(async () =>
    {
        await content.WriteAsync(buffer, cancellationToken).ConfigureAwait(false);
        return 0;
    }).ConfigureAwait(false);

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException("Contents are read asynchronously.");

    public override void Write(byte[] buffer, int offset, int count) =>
        throw new NotSupportedException("Contents are written asynchronously.");

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Flush()
    {
        // A flush proves nothing: the content is whole only when its item is done.
    }

    private async ValueTask<int> UseAsync(Func<ValueTask<int>> use)
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        watch.Pause();
        try
        {
            if (_isDetached) throw new ContentFault(new ObjectDisposedException(nameof(GuardedContent)));
            HasBegun = true;
            return await use().ConfigureAwait(false);
        }
        catch (Exception e) when (e is not (ContentFault or OperationCanceledException))
        {
            throw new ContentFault(e);
        }
        finally
        {
            watch.Resume();
            _turn.Release();
        }
    }
}
