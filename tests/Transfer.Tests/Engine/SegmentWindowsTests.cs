using Transfer.Engine.Segments;

namespace Transfer.Tests.Engine;

/// <summary>The receive windows of a file's connections, over links of different rates.</summary>
public sealed class SegmentWindowsTests
{
    private static readonly TimeSpan RoundTrip = TimeSpan.FromMilliseconds(100);

    private readonly ManualTime _time = new();

    [TestCase(2)]
    [TestCase(16)]
    public void The_connections_share_the_bound_equally(int connections) =>
        Assert.That(Of(RoundTrip).Of(connections), Is.EqualTo(SegmentWindows.Least / connections));

    [Test]
    public void One_connection_has_no_bound_and_none_has_one_where_the_round_trip_is_unknown()
    {
        Assert.That((Of(RoundTrip).Of(1), Of(RoundTrip).Of(0)), Is.EqualTo(((int?)null, (int?)null)));
        var unknown = Of(null);
        unknown.Moved(1 << 30);
        Assert.That(unknown.Of(16), Is.Null);
    }

    [TestCase(20, 4)]
    [TestCase(300, 12)]
    public void Over_a_longer_path_more_is_under_way_from_the_start(int roundTrip, int megabytes) =>
        Assert.That(Of(TimeSpan.FromMilliseconds(roundTrip)).Of(2), Is.EqualTo((megabytes << 20) / 2).Within(1));

    [Test]
    public void Windows_that_are_not_filled_stay()
    {
        var windows = Of(RoundTrip);
        Receive(windows, SegmentWindows.Least * 4 / 10, roundTrips: 40);
        Assert.That(windows.Of(2), Is.EqualTo(SegmentWindows.Least / 2));
    }

    [Test]
    public void Half_filled_windows_grow_slowly()
    {
        var windows = Of(RoundTrip);
        Receive(windows, SegmentWindows.Least * 7 / 10, roundTrips: 9);
        Assert.That(2d * windows.Of(2)!.Value / SegmentWindows.Least, Is.InRange(1.2, 1.3), "A link is filled in the end.");
    }

    [Test]
    public void Filled_windows_grow_by_a_quarter_in_each_round_trip()
    {
        var windows = Of(RoundTrip);
        Receive(windows, SegmentWindows.Least, roundTrips: 1);
        var first = windows.Of(2)!.Value;
        Receive(windows, 100 * SegmentWindows.Least, roundTrips: 4);
        Assert.That((double)windows.Of(2)!.Value / first, Is.EqualTo(Math.Pow(1.25, 4)).Within(0.01));
    }

    [TestCase(6_250_000, 5)] // 500 Mbit/s
    [TestCase(125_000_000, 20)] // 10 Gbit/s
    public void They_grow_no_more_or_slowly_once_the_link_is_full(long most, int roundTrips)
    {
        var windows = Of(RoundTrip);
        Fill(roundTrips);
        Assert.That(2d * windows.Of(2)!.Value / most, Is.InRange(1.0, 1.65));
        Fill(60);
        Assert.That(2d * windows.Of(2)!.Value / most, Is.InRange(1.9, 2.1), "A second link's worth may wait in the queue.");

        void Fill(int number)
        {
            for (var i = 0; i < number; i++) Receive(windows, Math.Min(most, 2L * windows.Of(2)!.Value), roundTrips: 1);
        }
    }

    [Test]
    public void A_pause_of_the_sender_is_no_growth()
    {
        var windows = Of(RoundTrip);
        Receive(windows, SegmentWindows.Least, roundTrips: 2);
        var before = windows.Of(2)!.Value;
        _time.Advance(TimeSpan.FromMinutes(1));
        windows.Moved(1);
        Assert.That(windows.Of(2)!.Value, Is.EqualTo(before).Within(before / 10));
    }

    [Test]
    public void A_window_is_a_number_of_bytes_that_a_system_can_take()
    {
        var windows = Of(RoundTrip);
        Receive(windows, 1L << 50, roundTrips: 100);
        Assert.That(windows.Of(2), Is.EqualTo(int.MaxValue));
    }

    private SegmentWindows Of(TimeSpan? roundTrip) => new(_time, roundTrip);

    // So many bytes a round trip, in equal portions.
    private void Receive(SegmentWindows windows, long bytes, int roundTrips)
    {
        for (var i = 0; i < 16 * roundTrips; i++)
        {
            windows.Moved(bytes / 16);
            _time.Advance(RoundTrip / 16);
        }
    }
}
