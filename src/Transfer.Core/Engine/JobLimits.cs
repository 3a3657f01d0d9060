namespace Transfer.Engine;

/// <summary>What the caller allows a job.</summary>
/// <param name="Sessions">So many sessions, where there is work for them; null: as many as pay, see <see cref="SessionRamp"/>.</param>
/// <param name="Segments">Most segments of one file under way at once; null: as many as pay.</param>
/// <param name="Most">Never more sessions than these.</param>
/// <param name="Usual">No more than these where <paramref name="Sessions"/> says nothing, but for the segments of a large file that gains by more.</param>
internal readonly record struct JobLimits(int? Sessions = null, int? Segments = null, int Most = int.MaxValue, int Usual = int.MaxValue)
{
    /// <summary>For what one session does.</summary>
    public static JobLimits One => new(1, 1);
}
