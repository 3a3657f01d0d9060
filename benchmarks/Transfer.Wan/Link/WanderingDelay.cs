namespace Transfer.Wan.Link;

/// <summary>
/// Jitter that keeps order: a delay that wanders between random values, evenly spread around none. Drawing each packet's delay alone would
/// either
/// reorder them or, with order kept, make every packet wait for the slowest before it: a longer delay instead of a varying one. Here the
/// values are four
/// times the jitter apart and straight lines lead from one to the next, so a later packet is never due before an earlier one.
/// </summary>
internal sealed class WanderingDelay(double most, int seed)
{
    private readonly double _apart = 4 * most;

    /// <summary>The delay at a time, between <c>-most</c> and <c>most</c>; the same whenever it is asked.</summary>
    public double At(double time)
    {
        if (most <= 0) return 0;
        var place = time / _apart;
        var before = Math.Floor(place);
        var part = place - before;
        return most * ((Value((long)before) * (1 - part)) + (Value((long)before + 1) * part));
    }

    /// <summary>A value from -1 to 1 for each number: SplitMix64's finaliser, which spreads neighbouring numbers.</summary>
    private double Value(long index)
    {
        var bits = unchecked((ulong)index + ((ulong)(uint)seed << 32) + 0x9E3779B97F4A7C15);
        bits = unchecked((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9);
        bits = unchecked((bits ^ (bits >> 27)) * 0x94D049BB133111EB);
        bits ^= bits >> 31;
        return ((bits >> 11) * (2.0 / (1UL << 53))) - 1;
    }
}
