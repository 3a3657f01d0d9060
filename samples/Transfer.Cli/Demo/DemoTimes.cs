namespace Transfer.Cli.Demo;

/// <summary>How long one way of doing it took.</summary>
internal sealed record DemoTimes(TimeSpan SmallUp, TimeSpan LargeUp, TimeSpan SmallDown, TimeSpan LargeDown)
{
    public TimeSpan All => SmallUp + LargeUp + SmallDown + LargeDown;
}
