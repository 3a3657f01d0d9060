namespace Transfer.Pooling;

/// <summary>
/// Lets openings follow one another where the server is near: side by side they would share the server's processors, and all those beyond
/// the server's limit would be refused instead of the first one. Called under the pool's lock.
/// </summary>
/// <param name="sight">Knows whether the server is near.</param>
/// <param name="time">The clock.</param>
internal sealed class OpeningTurns(ServerDistance sight, TimeProvider time)
{
    /// <summary>The time after which an opening does not hold up the next one any longer.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    private long _began;

    /// <summary>Notes that an opening begins.</summary>
    public void Begin() => _began = time.GetTimestamp();

    /// <summary>Returns the time until one more opening may begin; null: none has to be waited for.</summary>
    /// <param name="opening">The number of openings under way.</param>
    public TimeSpan? UntilNext(int opening) => opening == 0 || !sight.IsNear ? null : Patience - time.GetElapsedTime(_began);
}
