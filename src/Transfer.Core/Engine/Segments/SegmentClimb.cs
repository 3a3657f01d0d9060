using Transfer.Engine.Scheduling;

namespace Transfer.Engine.Segments;

/// <summary>
/// The number of sessions that move one large file on a long network link: twice as many, as long as that gains. A link may be full, and
/// the rate of a young connection does not show yet: a further one that comes too early only takes from it, and ends the growth.
/// </summary>
internal sealed class SegmentClimb
{
    private double _climbedFrom; // the sessions' total rate before the last ones were added
    private int _target; // the number of sessions to reach then

    /// <summary>The upper bound.</summary>
    public int Enough { get; private set; } = int.MaxValue;

    /// <summary>Returns the number of further sessions that are worth a trial.</summary>
    /// <param name="open">The number of sessions that move the file.</param>
    /// <param name="given">The number of sessions that would be given a part.</param>
    /// <param name="together">The rate of the sessions together, in bytes a second.</param>
    /// <param name="isGrowing">Whether that rate is still growing, or most sessions are too young for a rate.</param>
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
