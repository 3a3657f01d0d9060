namespace Transfer.Pooling;

/// <summary>Wakes a pool once, after a changeable time.</summary>
internal sealed class PoolTimer : IAsyncDisposable
{
    // The time between checks whether expired sessions are still held.
    private static readonly TimeSpan LookAgain = TimeSpan.FromSeconds(1);

    private readonly ITimer _timer;

    /// <param name="time">The clock.</param>
    /// <param name="wake">The action upon waking.</param>
    public PoolTimer(TimeProvider time, Action wake)
    {
        // The timer outlives the call that happens to create the pool: none of that call's context may flow in.
        using (ExecutionContext.SuppressFlow())
            _timer = time.CreateTimer(static wake => ((Action)wake!)(), wake, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Sets the time until waking.</summary>
    /// <param name="untilExpiry">The time until an idle session expires; null: never.</param>
    /// <param name="isHeld">Returns whether expired sessions stay.</param>
    /// <param name="untilOpening">The time until a session may be opened; null: no opening is awaited.</param>
    public void Set(TimeSpan? untilExpiry, Func<bool> isHeld, TimeSpan? untilOpening)
    {
        var due = untilExpiry;
        if (due < LookAgain && isHeld()) due = LookAgain;
        if (untilOpening is { } opening && (due is null || opening < due)) due = opening;
        _timer.Change(due is { } left ? Within(left) : Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public ValueTask DisposeAsync() => _timer.DisposeAsync();

    // Clocks tick unevenly: at least a millisecond, so that a timer that fires early does not spin. And timers have an upper limit.
    private static TimeSpan Within(TimeSpan due) =>
        TimeSpan.FromMilliseconds(Math.Clamp(Math.Ceiling(due.TotalMilliseconds), 1, TimeSpan.FromDays(1).TotalMilliseconds));
}
