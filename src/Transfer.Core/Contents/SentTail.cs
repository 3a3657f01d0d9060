using Transfer.Journal;

namespace Transfer.Contents;

/// <summary>The last bytes read of a source that cannot be read twice, for comparison with the server's bytes. Not thread-safe.</summary>
internal sealed class SentTail
{
    private byte[]? _ring; // as soon as there is something
    private long _end;

    /// <summary>Keeps the bytes of a read, which follow those of the read before.</summary>
    public void Add(long offset, ReadOnlySpan<byte> data)
    {
        var ring = _ring ??= new byte[RangeTail.MaxLength];
        var end = offset + data.Length;
        if (data.Length > ring.Length) data = data[^ring.Length..];
        for (var at = end - data.Length; at < end;)
        {
            var place = (int)(at % ring.Length);
            var count = (int)Math.Min(ring.Length - place, end - at);
            data[..count].CopyTo(ring.AsSpan(place));
            data = data[count..];
            at += count;
        }
        _end = end;
    }

    /// <summary>Copies the kept bytes of a range; 0: some of them are not kept.</summary>
    public int Read(long offset, Span<byte> buffer)
    {
        if (_ring is not { } ring || offset < _end - ring.Length || offset + buffer.Length > _end) return 0;
        for (var i = 0; i < buffer.Length; i++) buffer[i] = ring[(int)((offset + i) % ring.Length)];
        return buffer.Length;
    }
}
