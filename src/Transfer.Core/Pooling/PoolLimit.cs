using Transfer.Sessions;

namespace Transfer.Pooling;

/// <summary>
/// The limit on the sessions of a pool: from the options, from refusals of the server, and from the memory of earlier clients. Not
/// thread-safe: the pool's lock guards this.
/// </summary>
internal sealed class PoolLimit
{
    private readonly SessionLimit _limit;
    private LimitRecall _recall = new(isRemembered: false);

    /// <param name="maxSessions">The most sessions by the options.</param>
    /// <param name="time">The clock.</param>
    public PoolLimit(int maxSessions, TimeProvider time) => _limit = new SessionLimit(maxSessions, time);

    /// <summary>The memory of the server's limit; null: none.</summary>
    public LimitMemory? Memory
    {
        get;
        set => (field, _recall) = (value, new LimitRecall(value is not null));
    }

    /// <summary>The present limit.</summary>
    public int Current => _limit.Current;

    /// <summary>The most sessions to open now: one, until the remembered limit has been read.</summary>
    public int Most => _recall.IsPending ? 1 : _limit.Current;

    /// <inheritdoc cref="SessionLimit.UntilRetry"/>
    public TimeSpan? UntilRetry => _limit.UntilRetry;

    /// <inheritdoc cref="LimitRecall.RequestAhead"/>
    public void RequestAhead(int count, WorkKind? expected) => _recall.RequestAhead(count, expected);

    /// <inheritdoc cref="LimitRecall.TryBegin"/>
    public bool TryBeginRecall() => _recall.TryBegin();

    /// <summary>Ends the reading of the memory.</summary>
    /// <returns>The sessions wanted ahead.</returns>
    public (int Count, WorkKind? Expected) EndRecall() => _recall.Complete();

    /// <summary>Takes a remembered limit.</summary>
    public void Recall((int Sessions, bool IsFresh) limit, PoolChanges changes)
    {
        if (_limit.Recall(limit.Sessions, limit.IsFresh)) changes.RecalledTo = limit.Sessions;
    }

    /// <inheritdoc cref="SessionLimit.Allow"/>
    public void Allow(int sessions) => _limit.Allow(sessions);

    /// <inheritdoc cref="SessionLimit.BeginJob"/>
    public void BeginJob() => _limit.BeginJob();

    /// <inheritdoc cref="SessionLimit.TryRaise"/>
    public bool TryRaise(PoolChanges changes)
    {
        if (!_limit.TryRaise()) return false;
        changes.RaisedTo = _limit.Current;
        return true;
    }

    /// <summary>Lowers the limit to the sessions in use, and remembers that.</summary>
    public void Lower(int occupied, PoolChanges changes)
    {
        if (_limit.Lower(occupied)) changes.LoweredTo = _limit.Current;
        Memory?.Learn(_limit.Current);
    }

    /// <summary>Notes the number of open sessions: where the server allows more than remembered, the memory is wrong.</summary>
    public void Confirm(int open)
    {
        if (_limit.Confirm(open)) Memory?.Forget();
    }
}
