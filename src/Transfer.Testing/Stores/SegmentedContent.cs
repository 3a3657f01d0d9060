namespace Transfer.Testing.Stores;

/// <summary>Bytes in segments, so that a large file needs no large arrays and a small one no large segment.</summary>
internal sealed class SegmentedContent : MemoryContent
{
    private const int SegmentSize = 64 * 1024;
    private const int SmallestSegment = 1024;

    private readonly Lock _gate = new();
    private readonly List<byte[]?> _segments = [];
    private readonly MemoryQuota _quota;
    private long _length;

    public SegmentedContent(MemoryQuota quota) => _quota = quota;

    public override long Length
    {
        get
        {
            lock (_gate) return _length;
        }
    }

    public override int Read(long offset, Span<byte> destination)
    {
        lock (_gate)
        {
            var total = (int)Math.Clamp(_length - offset, 0, destination.Length);
            var rest = destination[..total];
            while (!rest.IsEmpty)
            {
                var (index, start) = ((int)(offset / SegmentSize), (int)(offset % SegmentSize));
                var count = Math.Min(rest.Length, SegmentSize - start);
                var segment = index < _segments.Count ? _segments[index] : null;
                var held = Math.Clamp((segment?.Length ?? 0) - start, 0, count);
                if (held > 0) segment.AsSpan(start, held).CopyTo(rest);
                rest[held..count].Clear();
                rest = rest[count..];
                offset += count;
            }

            return total;
        }
    }

    public override void Write(long offset, ReadOnlySpan<byte> source)
    {
        lock (_gate)
        {
            var end = offset + source.Length;
            if (end > _length) _quota.Take(end - _length);
            while (!source.IsEmpty)
            {
                var (index, start) = ((int)(offset / SegmentSize), (int)(offset % SegmentSize));
                var count = Math.Min(source.Length, SegmentSize - start);
                source[..count].CopyTo(Segment(index, start + count).AsSpan(start));
                source = source[count..];
                offset += count;
            }

            _length = Math.Max(_length, end);
        }
    }

    public override void Truncate(long length)
    {
        lock (_gate)
        {
            if (length >= _length) return;
            _quota.Return(_length - length);
            _length = length;
            var whole = (int)((length + SegmentSize - 1) / SegmentSize);
            if (whole < _segments.Count) _segments.RemoveRange(whole, _segments.Count - whole);
            var used = (int)(length % SegmentSize);
            // Bytes that are cut off must not reappear when a later write leaves a gap.
            if (used > 0 && whole == _segments.Count && _segments[whole - 1] is { } last && last.Length > used) last.AsSpan(used).Clear();
        }
    }

    private byte[] Segment(int index, int atLeast)
    {
        while (_segments.Count <= index) _segments.Add(null);
        var segment = _segments[index];
        if (segment is not null && segment.Length >= atLeast) return segment;
        var size = index > 0 ? SegmentSize
            : Math.Min(SegmentSize, Math.Max(SmallestSegment, (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)atLeast)));
        Array.Resize(ref segment, size);
        _segments[index] = segment;
        return segment;
    }
}
