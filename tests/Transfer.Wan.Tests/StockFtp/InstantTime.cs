using System.Collections.Concurrent;

namespace Transfer.Wan.Tests.StockFtp;

/// <summary>A clock whose delays are over at once, and are written down.</summary>
internal sealed class InstantTime : TimeProvider
{
    public ConcurrentQueue<TimeSpan> Delays { get; } = [];

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        if (dueTime > TimeSpan.Zero) Delays.Enqueue(dueTime);
        return System.CreateTimer(callback, state, dueTime > TimeSpan.Zero ? TimeSpan.Zero : dueTime, period);
    }
}
