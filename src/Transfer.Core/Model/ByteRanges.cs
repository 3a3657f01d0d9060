namespace Transfer.Companions;

/// <summary>A set of bytes of a file, as ranges that neither overlap nor touch, in order.</summary>
public sealed class ByteRanges
{
    private readonly List<(long Start, long End)> _ranges = [];

    /// <summary>The ranges, each without its end.</summary>
    internal IReadOnlyList<(long Start, long End)> All => _ranges;

    /// <summary>The number of bytes in the set.</summary>
    public long Count => _ranges.Sum(range => range.End - range.Start);

    /// <summary>Whether all of a range is in the set.</summary>
    public bool Contains(long start, long end) => _ranges.Exists(range => range.Start <= start && range.End >= end);

    /// <summary>Adds a range; an empty one adds nothing.</summary>
    public void Add(long start, long end)
    {
        if (end <= start) return;
        var first = _ranges.FindIndex(range => range.End >= start);
        if (first < 0) first = _ranges.Count;
        var after = first;
        while (after < _ranges.Count && _ranges[after].Start <= end)
        {
            start = Math.Min(start, _ranges[after].Start);
            end = Math.Max(end, _ranges[after].End);
            after++;
        }
        _ranges.RemoveRange(first, after - first);
        _ranges.Insert(first, (start, end));
    }

    /// <summary>The missing ranges of a file of a length.</summary>
    internal IReadOnlyList<(long Start, long End)> Holes(long length)
    {
        var holes = new List<(long, long)>();
        var at = 0L;
        foreach (var (start, end) in _ranges)
        {
            if (start >= length) break;
            if (start > at) holes.Add((at, start));
            at = end;
        }
        if (at < length) holes.Add((at, length));
        return holes;
    }
}
