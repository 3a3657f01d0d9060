namespace Transfer.Testing.Stores;

/// <summary>Content of which only the length is kept; reads as zeros.</summary>
internal sealed class DiscardedContent : MemoryContent
{
    private readonly Lock _gate = new();
    private long _length;

    public override long Length
    {
        get
        {
            lock (_gate) return _length;
        }
    }

    public override int Read(long offset, Span<byte> destination)
    {
        var count = (int)Math.Clamp(Length - offset, 0, destination.Length);
        destination[..count].Clear();
        return count;
    }

    public override void Write(long offset, ReadOnlySpan<byte> source)
    {
        lock (_gate) _length = Math.Max(_length, offset + source.Length);
    }

    public override void Truncate(long length)
    {
        lock (_gate) _length = Math.Min(_length, length);
    }
}
