namespace Transfer.Pooling;

/// <summary>
/// Lets openings follow one another: side by side they share the server's processors, so that none ends before all do, and all those
/// beyond the server's limit are refused instead of the first one. Called under the pool's lock.
/// </summary>
/// <param name="sight">Knows whether the server is near.</param>
/// <param name="time">The clock.</param>
internal sealed class OpeningTurns(ServerDistance sight, TimeProvider time)
{
    /// <summary>The time after which an opening to a near server does not hold up the next one any longer.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    private long _began;

    /// <summary>
    /// Returns the time that a distant server works for one opening. The next ones begin within the round trips of the first, no sooner
    /// than the server is done with the one before. Called under the pool's lock, so that it takes no other.
    /// </summary>
    public Func<TimeSpan> Interval { get; set; } = static () => TimeSpan.Zero;

    /// <summary>Notes that an opening begins.</summary>
    public void Begin() => _began = time.GetTimestamp();

    /// <summary>Returns the time until one more opening may begin; null: none has to be waited for.</summary>
    /// <param name="opening">The number of openings under way.</param>
    public TimeSpan? UntilNext(int opening)
    {
        if (opening == 0) return null;
        var interval = sight.IsNear ? Patience : Interval();
        return interval == TimeSpan.Zero ? null : interval - time.GetElapsedTime(_began);
    }
}
