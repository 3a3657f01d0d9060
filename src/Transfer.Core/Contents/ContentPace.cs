using Transfer.Contents;

namespace Transfer.Companions;

/// <summary>Holds the content of a job back: by a rate limit, by the job's pause, or by both. Thread-safe.</summary>
public sealed class ContentPace
{
    private readonly ContentFlow _flow;

    internal ContentPace(ContentFlow flow) => _flow = flow;

    /// <summary>The most bytes that are admitted together, so that all movers of content take turns.</summary>
    public int MostAtOnce => _flow.MostAtOnce;

    /// <summary>The pace of a job that has no client.</summary>
    /// <param name="bytesPerSecond">The job's own rate limit, at least 1; null: none.</param>
    /// <param name="context">The job.</param>
    /// <param name="time">The clock.</param>
    public static ContentPace Of(long? bytesPerSecond, TransferJobContext context, TimeProvider time)
    {
        if (bytesPerSecond is { } rate) ArgumentOutOfRangeException.ThrowIfLessThan(rate, 1, nameof(bytesPerSecond));
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(time);
        return new ContentPace(ContentFlow.Of(bytesPerSecond, schedule: null, time).Of(context.Pause));
    }

    /// <summary>The pace of a job that has no client, by a schedule.</summary>
    /// <param name="schedule">The job's own rate limits.</param>
    /// <param name="context">The job.</param>
    /// <param name="time">The clock, whose local time counts.</param>
    public static ContentPace OfSchedule(RateSchedule schedule, TransferJobContext context, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(schedule);
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(time);
        return new ContentPace(ContentFlow.Of(bytesPerSecond: null, schedule, time).Of(context.Pause));
    }

    /// <summary>Waits until bytes may move. Cancellation gives up the turn.</summary>
    /// <param name="bytes">The number; more than <see cref="MostAtOnce"/> delays the other movers.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    public ValueTask AdmitAsync(int bytes, CancellationToken cancellationToken) => _flow.AdmitAsync(bytes, cancellationToken);
}
