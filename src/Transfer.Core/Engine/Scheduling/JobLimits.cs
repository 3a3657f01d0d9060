namespace Transfer.Engine.Scheduling;

/// <summary>What the caller allows a job, and what its files are.</summary>
/// <param name="Sessions">So many sessions, where there is work for them; null: as many as pay, see <see cref="SessionRamp"/>.</param>
/// <param name="Segments">Most segments of one file under way at once; null: as many as pay.</param>
internal readonly record struct JobLimits(int? Sessions = null, int? Segments = null)
{
    /// <summary>Where the files' contents are.</summary>
    public JobContents Contents { get; init; }

    /// <summary>
    /// A job that is fed by others may have the last session too, where sessions of the same client feed others. Of two copies in
    /// opposite directions one must wait for the other, where there is one session only: see <see cref="ClientEngine.Order"/>.
    /// </summary>
    public bool MayTakeLast { get; init; }

    /// <summary>A copy that is written to a client.</summary>
    /// <param name="sessions">See <see cref="Sessions"/>.</param>
    /// <param name="segments">See <see cref="Segments"/>.</param>
    /// <param name="from">Where it is read.</param>
    /// <param name="to">Where it is written.</param>
    public static JobLimits OfCopy(int? sessions, int? segments, ClientEngine from, ClientEngine to) =>
        new(sessions, segments) { Contents = JobContents.FedByOthers, MayTakeLast = from.Order <= to.Order };

    /// <summary>For a stream of the application: one session does it, in one piece.</summary>
    public static JobLimits OfStream => new(1, 1) { Contents = JobContents.Application };
}
