namespace Transfer.Cli.Tests.Batch;

/// <summary>A clock that goes as others do, and on demand ahead at once.</summary>
internal sealed class LeapingTime : TimeProvider
{
    private long _ahead;

    public void Leap(TimeSpan by) => Interlocked.Add(ref _ahead, (long)(by.TotalSeconds * TimestampFrequency));

    public override long GetTimestamp() => base.GetTimestamp() + Interlocked.Read(ref _ahead);
}
