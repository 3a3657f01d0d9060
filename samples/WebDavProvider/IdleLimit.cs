namespace WebDavProvider;

/// <summary>
/// Ends a request on which nothing moves for a time. Time in which the local end is waited for does not count: a job may be paused.
/// </summary>
internal sealed class IdleLimit : IDisposable
{
    private readonly CancellationTokenSource _expired;
    private readonly CancellationTokenSource _either;
    private readonly TimeSpan _limit;

    public IdleLimit(TimeSpan limit, TimeProvider time, CancellationToken ct)
    {
        _limit = limit > TimeSpan.Zero ? limit : Timeout.InfiniteTimeSpan;
        _expired = new CancellationTokenSource(_limit, time);
        _either = CancellationTokenSource.CreateLinkedTokenSource(ct, _expired.Token);
    }

    public CancellationToken Token => _either.Token;

    /// <summary>Something has moved.</summary>
    public void Moved() => _expired.CancelAfter(_limit);

    /// <summary>The local end is waited for, until <see cref="Moved"/>.</summary>
    public void Stand() => _expired.CancelAfter(Timeout.InfiniteTimeSpan);

    public void Dispose()
    {
        _either.Dispose();
        _expired.Dispose();
    }
}
