using Transfer.Engine.Scheduling;

namespace Transfer.Engine.Segments;

/// <summary>
/// How many sessions move one large file on a long link: twice as many, as long as that brings something. A link may be full, and what a
/// young connection will do does not show yet: one that comes too early only takes from it, and ends its growth.
/// </summary>
internal sealed class SegmentClimb
{
    private double _climbedFrom; // what the sessions did together before the last ones were added
    private int _target; // so many were to be there then

    /// <summary>Never more than these.</summary>
    public int Enough { get; private set; } = int.MaxValue;

    /// <summary>So many sessions more are worth trying.</summary>
    /// <param name="open">Sessions that are at it.</param>
    /// <param name="given">So many would be given a part.</param>
    /// <param name="together">Bytes a second that they move together.</param>
    /// <param name="isGrowing">That is still growing, or most of them are too young to tell.</param>
    public long More(int open, int given, double together, bool isGrowing)
    {
        if (open < _target) return Math.Min(given, _target - open);
        if (isGrowing) return 0;
        if (together < SessionRamp.Gain * _climbedFrom)
        {
            Enough = open;
            return 0;
        }
        (_climbedFrom, _target) = (together, 2 * open);
        return given;
    }
}
