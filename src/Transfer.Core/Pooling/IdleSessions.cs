using Transfer.Sessions;

namespace Transfer.Pooling;

/// <summary>
/// The idle sessions. The most recently used is taken first, so that surplus sessions grow old and are closed.
/// Not thread-safe: the pool's lock guards this.
/// </summary>
internal sealed class IdleSessions
{
    private readonly List<(TransferSession Session, long Since)> _sessions = []; // oldest first
    private readonly TimeSpan _lifetime;
    private readonly TimeProvider _time;

    public IdleSessions(TimeSpan lifetime, TimeProvider time)
    {
        _lifetime = lifetime;
        _time = time;
    }

    public int Count => _sessions.Count;

    /// <summary>The time until the oldest session expires; null: there is none, or sessions never expire.</summary>
    public TimeSpan? UntilExpiry =>
        _sessions.Count == 0 || _lifetime == Timeout.InfiniteTimeSpan ? null : _lifetime - _time.GetElapsedTime(_sessions[0].Since);

    public void Add(TransferSession session) => _sessions.Add((session, _time.GetTimestamp()));

    /// <summary>Takes the most recently used session; null: none.</summary>
    public TransferSession? TakeLatest()
    {
        if (_sessions.Count == 0) return null;
        var session = _sessions[^1].Session;
        _sessions.RemoveAt(_sessions.Count - 1);
        return session;
    }

    /// <summary>Takes the most recently used session that is usable; null: none.</summary>
    /// <param name="close">Closes those that are not.</param>
    public TransferSession? TakeUsable(Action<TransferSession> close)
    {
        while (TakeLatest() is { } session)
        {
            if (session.Usable) return session;
            close(session);
        }
        return null;
    }

    /// <summary>Takes the oldest session if expired.</summary>
    public TransferSession? TakeExpired() => UntilExpiry is { } left && left <= TimeSpan.Zero ? TakeOldest() : null;

    /// <summary>Takes the oldest session; null: none.</summary>
    public TransferSession? TakeOldest()
    {
        if (_sessions.Count == 0) return null;
        var session = _sessions[0].Session;
        _sessions.RemoveAt(0);
        return session;
    }
}
