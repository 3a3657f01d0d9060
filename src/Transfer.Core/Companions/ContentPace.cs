using Transfer.Engine.Flow;

namespace Transfer.Companions;

/// <summary>Holds content back: by a rate limit, by a pause, or by both. All content of a client or of a job waits at the same one.
/// Thread-safe.</summary>
public sealed class ContentPace
{
    private readonly ContentFlow _flow;

    internal ContentPace(ContentFlow flow) => _flow = flow;

    /// <summary>The most bytes that are admitted together, so that all who move content take turns.</summary>
    public int MostAtOnce => _flow.MostAtOnce;

    /// <summary>A rate limit of its own.</summary>
    /// <param name="bytesPerSecond">At least 1.</param>
    /// <param name="time">The clock.</param>
    public static ContentPace Of(long bytesPerSecond, TimeProvider time)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(bytesPerSecond, 1);
        ArgumentNullException.ThrowIfNull(time);
        return new ContentPace(ContentFlow.Of(bytesPerSecond, time));
    }

    /// <summary>Waits until bytes may move. Whoever is cancelled meanwhile gives up the turn.</summary>
    /// <param name="bytes">How many; more than <see cref="MostAtOnce"/> holds up the others.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    public ValueTask AdmitAsync(int bytes, CancellationToken cancellationToken) => _flow.AdmitAsync(bytes, cancellationToken);
}
