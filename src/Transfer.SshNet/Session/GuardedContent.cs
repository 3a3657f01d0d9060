using Transfer.Sessions;

namespace Transfer.SshNet.Session;

/// <summary>
/// The local end of a transfer, in a wrapper for SSH.NET, which may still use the stream when its call was given up: after
/// <see cref="DetachAsync"/> nothing is read or written any more.
/// </summary>
/// <param name="content">The local end.</param>
/// <param name="watch">The watch over the call.</param>
internal sealed class GuardedContent(Stream content, IdleWatch watch) : SequentialStream
{
    private readonly SemaphoreSlim _turn = new(1);
    private bool _isDetached;

    /// <summary>Whether the local end was used: the remote file was then opened.</summary>
    public bool HasBegun { get; private set; }

    public override bool CanRead => content.CanRead;

    public override bool CanWrite => content.CanWrite;

    /// <summary>Waits until SSH.NET does not use the local end, and prevents any later use.</summary>
    public async Task DetachAsync()
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        _isDetached = true;
        _turn.Release();
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        await UseAsync(() => content.ReadAsync(buffer, cancellationToken)).ConfigureAwait(false);

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
        await UseAsync(async () =>
    {
        await content.WriteAsync(buffer, cancellationToken).ConfigureAwait(false);
        return 0;
    }).ConfigureAwait(false);

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
