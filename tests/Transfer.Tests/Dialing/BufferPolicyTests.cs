using Transfer.Dialing;

namespace Transfer.Tests.Dialing;

internal sealed class BufferPolicyTests
{
    private const int MiB = 1 << 20;

    [TestCase(null, 1 * MiB)]
    [TestCase(0.0, 1 * MiB)]
    [TestCase(1.0, 1 * MiB)]
    [TestCase(20.0, 5_000_000)]
    [TestCase(50.0, 12_500_000)]
    [TestCase(600.0, 16 * MiB)]
    public void Wanted_is_twice_the_bandwidth_delay_product_of_a_gigabit_within_limits(double? milliseconds, int expected) =>
        Assert.That(BufferPolicy.Wanted(milliseconds is { } ms ? TimeSpan.FromMilliseconds(ms) : null), Is.EqualTo(expected));

    // The usual Linux: a size of 1 MiB would be cut to 212,992, doubled, and end autotuning that goes to 4 MiB.
    [TestCase(4 * MiB, 212_992, 0)]
    [TestCase(4 * MiB, 212_992, 600)]
    [TestCase(4 * MiB, 4 * MiB, 0)]
    [TestCase(2 * MiB, 4 * MiB, 0)]
    public void Linux_is_left_alone_where_autotuning_reaches_at_least_as_far(int tuned, int settable, int milliseconds)
    {
        var roundTrip = TimeSpan.FromMilliseconds(milliseconds);
        var decision = Decide(BufferPlatform.Linux, BufferDirection.Send, new BufferLimits(tuned, settable), null, roundTrip);
        Assert.That(decision.Size, Is.Null);
        Assert.That(decision.Reason, Does.Contain($"{tuned}").And.Contain($"{2 * Math.Min(settable, BufferPolicy.Wanted(roundTrip))}"));
    }

    [TestCase(4 * MiB, 8 * MiB, 20, 5_000_000)]
    [TestCase(2 * MiB - 1, 4 * MiB, 0, 1 * MiB)]
    [TestCase(256 * 1024, 212_992, 0, 1 * MiB)]
    public void Linux_is_set_where_that_gives_more_and_must_then_give_more(int tuned, int settable, int milliseconds, int wanted)
    {
        var decision = Decide(BufferPlatform.Linux, BufferDirection.Receive, new BufferLimits(tuned, settable), null,
            TimeSpan.FromMilliseconds(milliseconds));
        Assert.That(decision, Is.EqualTo(BufferDecision.Set(wanted, tuned, decision.Reason)));
    }

    [TestCase(null, 1 * MiB)]
    [TestCase(20, 5_000_000)]
    [TestCase(100, 16 * MiB)]
    public void What_Linux_receives_into_begins_larger_where_the_path_is_long_or_not_known(int? milliseconds, int wanted)
    {
        TimeSpan? roundTrip = milliseconds is { } known ? TimeSpan.FromMilliseconds(known) : null;
        var decision = Decide(BufferPlatform.Linux, BufferDirection.Receive, new BufferLimits(32 * MiB, 4 * MiB), null, roundTrip);
        Assert.That(decision, Is.EqualTo(BufferDecision.StartAutotuningAt(wanted, decision.Reason)));
    }

    [Test]
    public void What_Linux_receives_into_over_a_short_path_begins_as_it_likes() =>
        Assert.That(Decide(BufferPlatform.Linux, BufferDirection.Receive, new BufferLimits(32 * MiB, 4 * MiB), null,
            TimeSpan.FromMilliseconds(1)).Size, Is.Null);

    [TestCase(null, 4 * MiB)]
    [TestCase(4 * MiB, null)]
    [TestCase(null, null)]
    public void Linux_is_left_alone_where_a_limit_is_not_known(int? tuned, int? settable) =>
        Assert.That(Decide(BufferPlatform.Linux, BufferDirection.Send, new BufferLimits(tuned, settable), null, null).Size, Is.Null);

    [Test]
    public void Windows_send_buffers_start_small_and_are_set() =>
        Assert.That(Decide(BufferPlatform.Windows, BufferDirection.Send, default, null, null).Size, Is.EqualTo(MiB));

    [Test]
    public void Windows_receive_windows_are_tuned_further_than_we_want_and_left_alone() =>
        Assert.That(Decide(BufferPlatform.Windows, BufferDirection.Receive, default, null, TimeSpan.FromSeconds(1)).Size, Is.Null);

    [Test]
    public void Other_systems_are_set_only_beyond_their_autotuning()
    {
        Assert.That(Decide(BufferPlatform.Other, BufferDirection.Send, default, null, TimeSpan.FromMilliseconds(16)).Size, Is.Null);
        Assert.That(Decide(BufferPlatform.Other, BufferDirection.Send, default, null, TimeSpan.FromMilliseconds(20)).Size,
            Is.EqualTo(5_000_000));
    }

    [Test]
    public void What_the_options_say_is_done_everywhere(
        [Values] BufferPlatform platform, [Values] BufferDirection direction) =>
        Assert.That(Decide(platform, direction, new BufferLimits(4 * MiB, 212_992), 8192, null),
            Is.EqualTo(BufferDecision.UseOption(8192)));

    private static BufferDecision Decide(BufferPlatform platform, BufferDirection direction, BufferLimits limits, int? told,
        TimeSpan? roundTrip) =>
        BufferPolicy.Decide(platform, direction, limits, told, roundTrip);
}
