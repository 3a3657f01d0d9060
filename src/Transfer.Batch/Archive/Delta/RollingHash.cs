namespace Transfer.Batch.Archive.Delta;

/// <summary>
/// The weak checksum of a block: the bytes as the digits of a number to an odd base, modulo 2^64. The sum moves on by one byte with one
/// multiplication, and by two bytes with one multiplication that waits for the step before. Only the upper half is compared: the lower bits
/// depend on the last bytes only.
/// </summary>
internal static class RollingHash
{
    /// <summary>The base: the golden ratio's bits, as good as any other odd number without a pattern.</summary>
    public const ulong Base = 0x9E37_79B9_7F4A_7C15;

    /// <summary>The square of the base, to move on by two bytes at once.</summary>
    public const ulong Base2 = unchecked(Base * Base);
    private const ulong Base3 = unchecked(Base2 * Base);
    private const ulong Base4 = unchecked(Base3 * Base);
    private const ulong Base5 = unchecked(Base4 * Base);
    private const ulong Base6 = unchecked(Base5 * Base);
    private const ulong Base7 = unchecked(Base6 * Base);
    private const ulong Base8 = unchecked(Base7 * Base);

    /// <summary>The hash of a window.</summary>
    public static ulong Of(ReadOnlySpan<byte> window)
    {
        var hash = 0UL;
        // Eight bytes wait for each other once.
        for (; window.Length >= 8; window = window[8..])
        {
            hash = unchecked((hash * Base8) + (window[0] * Base7) + (window[1] * Base6) + (window[2] * Base5) + (window[3] * Base4)
                + (window[4] * Base3) + (window[5] * Base2) + (window[6] * Base) + window[7]);
        }
        foreach (var value in window) hash = unchecked((hash * Base) + value);
        return hash;
    }

    /// <summary>The share of each byte value that leaves a window of this length, for <see cref="Step"/>.</summary>
    public static ulong[] Leaving(int length)
    {
        var (power, square) = (1UL, Base);
        for (; length > 0; length >>= 1, square = unchecked(square * square))
        {
            if ((length & 1) != 0) power = unchecked(power * square);
        }
        var leaving = new ulong[256];
        for (var value = 0; value < leaving.Length; value++) leaving[value] = unchecked(power * (ulong)value);
        return leaving;
    }

    /// <summary>Returns the difference when a window moves on by a byte.</summary>
    public static ulong Step(ulong[] leaving, byte leaves, byte enters) => unchecked(enters - leaving[leaves]);

    /// <summary>Moves a window on by a byte.</summary>
    public static ulong Roll(ulong hash, ulong step) => unchecked((hash * Base) + step);

    /// <summary>Returns the compared half of a hash.</summary>
    public static uint Weak(ulong hash) => (uint)(hash >> 32);
}
