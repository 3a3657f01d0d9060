using Transfer.Sessions;

namespace Transfer.Testing.Stores;

/// <summary>The first bytes of a longer stream.</summary>
internal sealed class RangeStream : SequentialStream
{
    private readonly Stream _inner;
    private long _left;

    public RangeStream(Stream inner, long length)
    {
        _inner = inner;
        _left = length;
    }

    public override bool CanRead => true;

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var most = (int)Math.Min(buffer.Length, _left);
        if (most == 0) return 0;
        var count = await _inner.ReadAsync(buffer[..most], cancellationToken).ConfigureAwait(false);
        _left -= count;
        return count;
    }

    public override async ValueTask DisposeAsync()
    {
        await _inner.DisposeAsync().ConfigureAwait(false);
        await base.DisposeAsync().ConfigureAwait(false);
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing) _inner.Dispose();
        base.Dispose(disposing);
    }
}
