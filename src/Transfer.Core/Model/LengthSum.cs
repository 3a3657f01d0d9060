namespace Transfer.Companions;

/// <summary>
/// Sums of lengths. A server may show any length, and so may a sparse file: a sum beyond 64 bits stays at <see cref="long.MaxValue"/>.
/// </summary>
public static class LengthSum
{
    /// <summary>The sum of two lengths, in bytes.</summary>
    public static long Add(long sum, long length) => long.CreateSaturating((Int128)sum + length);

    /// <summary>The sum of two lengths, in bytes; null: one of them is unknown.</summary>
    public static long? Add(long? sum, long? length) => sum is { } first && length is { } second ? Add(first, second) : null;

    /// <summary>The sum of lengths, in bytes.</summary>
    public static long Of(IEnumerable<long> lengths)
    {
        ArgumentNullException.ThrowIfNull(lengths);
        return lengths.Aggregate(0L, Add);
    }
}
