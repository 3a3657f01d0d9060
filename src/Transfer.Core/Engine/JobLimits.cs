namespace Transfer.Engine;

/// <summary>What the caller allows a job.</summary>
/// <param name="Sessions">Most sessions; null: as many as there may be.</param>
/// <param name="Segments">Most segments of one file under way at once; null: as many as pay.</param>
internal readonly record struct JobLimits(int? Sessions = null, int? Segments = null)
{
    /// <summary>For what one session does.</summary>
    public static JobLimits One => new(1, 1);
}
