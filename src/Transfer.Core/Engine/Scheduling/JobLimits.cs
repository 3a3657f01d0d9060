namespace Transfer.Engine.Scheduling;

/// <summary>The caller's limits of a job, and the kind of the job's contents.</summary>
/// <param name="Sessions">The number of sessions, where there is work for them; null: as many as pay, see
/// <see cref="SessionRamp"/>.</param>
/// <param name="Segments">The most segments of one file under way at once; null: as many as pay.</param>
internal readonly record struct JobLimits(int? Sessions = null, int? Segments = null)
{
    /// <summary>The place of the files' contents.</summary>
    public JobContents Contents { get; init; }

    /// <summary>
    /// Whether a job that is fed by other sessions may have the last session too, where sessions of the same client feed other ones. Of two
    /// copies in opposite directions over one session each, one must wait for the other: see <see cref="ClientEngine.Order"/>.
    /// </summary>
    public bool MayTakeLast { get; init; }

    /// <summary>Returns the limits of the writing end of a copy.</summary>
    /// <param name="sessions">See <see cref="Sessions"/>.</param>
    /// <param name="segments">See <see cref="Segments"/>.</param>
    /// <param name="from">The client that reads.</param>
    /// <param name="to">The client that writes.</param>
    public static JobLimits OfCopy(int? sessions, int? segments, ClientEngine from, ClientEngine to) =>
        new(sessions, segments) { Contents = JobContents.FedBySessions, MayTakeLast = from.Order <= to.Order };

    /// <summary>The limits for a stream of the application: one session, one piece.</summary>
    public static JobLimits OfStream => new(1, 1) { Contents = JobContents.Application };
}
