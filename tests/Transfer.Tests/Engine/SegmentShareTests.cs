using Transfer.Engine.Scheduling;
using Transfer.Engine.Segments;

namespace Transfer.Tests.Engine;

public sealed class SegmentShareTests
{
    private static readonly TimeSpan RoundTrip = TimeSpan.FromMilliseconds(100);

    [TestCase(0, 0)]
    [TestCase(100, 14_600)]
    [TestCase(300, 14_600 * 7)]
    [TestCase(800, 14_600 * 255)]
    public void The_rate_of_a_young_connection_doubles_each_round_trip(int milliseconds, double bytes)
    {
        var time = TimeSpan.FromMilliseconds(milliseconds);
        Assert.That(SlowStart.Bytes(time, RoundTrip), Is.EqualTo(bytes).Within(1));
        Assert.That(SlowStart.Time(bytes, RoundTrip).TotalMilliseconds, Is.EqualTo(milliseconds).Within(0.1));
    }

    [TestCase(80e6, 10e6, 10e6, 200, 1, 39e6)] // nearly a half of 8 s
    [TestCase(80e6, 10e6, 10e6, 200, 7, 9.3e6)]
    [TestCase(5e6, 7.5e6, 7.5e6, 200, 1, 0.26e6)] // the end of a file: much less than a half
    [TestCase(1.3e6, 0.28e6, 0.28e6, 200, 1, 0.62e6)]
    [TestCase(1.3e6, 0.28e6, 5e6, 200, 1, 1.06e6)] // a connection that has lost packets
    [TestCase(1e6, 7.5e6, 7.5e6, 200, 1, 0)]
    public void All_end_together(double left, double rate, double fastest, int start, int sessions, double part)
    {
        var (bytes, saved) = SegmentShare.Of((long)left, rate, fastest, TimeSpan.FromMilliseconds(start), RoundTrip, sessions);
        Assert.That(bytes, Is.EqualTo(part).Within(left / 50));
        Assert.That(saved.TotalSeconds, Is.EqualTo(bytes * sessions / rate).Within(left / rate / 500));
    }

    [Test]
    public void On_a_short_path_each_gets_as_much() =>
        Assert.That(SegmentShare.Of(40_000_000, 1e6, 1e6, TimeSpan.Zero, TimeSpan.Zero, 3).Part, Is.EqualTo(10_000_000).Within(50_000));
}
