using Transfer.Journal;

namespace Transfer.Contents;

/// <summary>Compares the last 64 KiB of a range on the two sides: only when they are alike, the bytes at the target count as a part of the
/// source.</summary>
internal static class RangeEnds
{
    /// <summary>Reads bytes of one side. Fewer than the buffer holds: the side ends there, or the bytes cannot be read again.</summary>
    public delegate ValueTask<int> Read(long offset, Memory<byte> buffer, CancellationToken ct);

    /// <summary>Whether both sides have all of the last bytes, and the same ones.</summary>
    public static async ValueTask<bool> AreEqualAsync(Read here, Read there, long start, long end, CancellationToken ct)
    {
        var (one, other) = (new byte[RangeTail.LengthOf(start, end)], new byte[RangeTail.LengthOf(start, end)]);
        if (one.Length == 0) return true;
        return await here(end - one.Length, one, ct).ConfigureAwait(false) == one.Length
            && await there(end - other.Length, other, ct).ConfigureAwait(false) == other.Length
            && one.AsSpan().SequenceEqual(other);
    }
}
