using Transfer.Sessions;

namespace Transfer.ServerTests.Support;

/// <summary>A source that hands out its first bytes and then waits until it is let go: a transfer that is surely in the middle.</summary>
internal sealed class GatedStream(long length, long before) : SequentialStream
{
    private readonly TaskCompletionSource _reached = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _open = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _position;

    /// <summary>Completes when the first bytes were taken and more are wanted.</summary>
    public Task Reached => _reached.Task;

    public override bool CanRead => true;

    public override long Position { get => _position; set => throw new NotSupportedException(); }

    public void Open() => _open.TrySetResult();

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (_position >= before)
        {
            _reached.TrySetResult();
            await _open.Task.WaitAsync(cancellationToken);
        }

        var limit = _position < before ? before : length;
        var count = (int)Math.Min(buffer.Length, limit - _position);
        buffer.Span[..count].Fill(0x5a);
        _position += count;
        return count;
    }
}
