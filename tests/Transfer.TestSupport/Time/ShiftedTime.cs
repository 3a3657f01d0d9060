namespace Transfer.TestSupport.Time;

/// <summary>The system's clock, and a date that is off by so much: timers run as ever.</summary>
internal sealed class ShiftedTime(TimeSpan by) : TimeProvider
{
    public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + by;
}
