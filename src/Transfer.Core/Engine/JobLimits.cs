namespace Transfer.Engine;

/// <summary>What the caller allows a job, and what its files are.</summary>
/// <param name="Sessions">So many sessions, where there is work for them; null: as many as pay, see <see cref="SessionRamp"/>.</param>
/// <param name="Segments">Most segments of one file under way at once; null: as many as pay.</param>
internal readonly record struct JobLimits(int? Sessions = null, int? Segments = null)
{
    /// <summary>Where the files' contents are.</summary>
    public JobContents Contents { get; init; }

    /// <summary>For a stream of the application: one session does it, in one piece.</summary>
    public static JobLimits OfStream => new(1, 1) { Contents = JobContents.Application };
}
