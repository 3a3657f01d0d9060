using Transfer.Journal;

namespace Transfer.Contents;

/// <summary>
/// The first and the last bytes received of a file whose content cannot be read again, for a comparison with the server's bytes. Not
/// thread-safe.
/// </summary>
/// <param name="start">The offset of the first byte.</param>
internal sealed class ReceivedEnds(long start)
{
    private SentTail? _tail; // of the bytes behind the head
    private byte[] _head = [];
    private int _count; // of bytes in the head

    /// <summary>Keeps the bytes of a write. A write at the first byte begins a new attempt.</summary>
    public void Add(long offset, ReadOnlySpan<byte> data)
    {
        if (offset == start) (_count, _tail) = (0, null);
        var first = data[..(int)Math.Clamp(start + RangeTail.MaxLength - offset, 0, data.Length)];
        if (first.Length > 0)
        {
            var end = (int)(offset - start) + first.Length;
            if (end > _head.Length) Array.Resize(ref _head, Math.Min(RangeTail.MaxLength, Math.Max(end, 2 * _head.Length)));
            first.CopyTo(_head.AsSpan(end - first.Length));
            _count = end;
        }
        if (first.Length < data.Length) (_tail ??= new SentTail()).Add(offset + first.Length, data[first.Length..]);
    }

    /// <summary>Copies the kept bytes of a range; 0: some of them are not kept.</summary>
    public int Read(long offset, Span<byte> buffer)
    {
        var (from, behind) = (offset - start, start + RangeTail.MaxLength - offset);
        if (from < 0) return 0;
        var first = (int)Math.Clamp(behind, 0, buffer.Length);
        if (first > 0 && from + first > _count) return 0;
        if (first > 0) _head.AsSpan((int)from, first).CopyTo(buffer);
        return first == buffer.Length || _tail?.Read(offset + first, buffer[first..]) > 0 ? buffer.Length : 0;
    }
}
