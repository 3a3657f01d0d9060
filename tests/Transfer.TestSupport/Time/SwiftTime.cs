namespace Transfer.TestSupport.Time;

/// <summary>A clock that goes ten times as fast: what is waited for takes a tenth, and one wait compares to another as ever.</summary>
internal sealed class SwiftTime : TimeProvider
{
    private const int Factor = 10;

    public override long GetTimestamp() => System.GetTimestamp() * Factor;

    public override long TimestampFrequency => System.TimestampFrequency;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        new SwiftTimer(System.CreateTimer(callback, state, Sooner(dueTime), Sooner(period)));

    private static TimeSpan Sooner(TimeSpan time) => time > TimeSpan.Zero ? time / Factor : time;

    private sealed class SwiftTimer(ITimer timer) : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) => timer.Change(Sooner(dueTime), Sooner(period));

        public void Dispose() => timer.Dispose();

        public ValueTask DisposeAsync() => timer.DisposeAsync();
    }
}
