using Transfer.Wan.Link;
using Transfer.Wan.Records;

namespace Transfer.Wan.Tests.Link;

/// <summary>The link's arithmetic, with a clock that is a number.</summary>
public sealed class WireScheduleTests
{
    private const long Millisecond = 1_000_000;
    private const int Packet = 1500;
    private const long Plenty = 1 << 30;

    private static LinkShape Shape(double roundTrip, double rate, double jitter = 0, double loss = 0) =>
        new() { RoundTrip = roundTrip, Rate = rate, Jitter = jitter, Loss = loss };

    [Test]
    public void A_packet_takes_its_bytes_time_and_half_the_round_trip()
    {
        var schedule = new WireSchedule(Shape(100, 12), Plenty, seed: 1);
        // 1,500 bytes at 12 Mbit/s: a millisecond.
        Assert.That(schedule.Admit(0, Packet), Is.EqualTo(51 * Millisecond));
    }

    [Test]
    public void Packets_that_come_together_wait_for_each_other()
    {
        var schedule = new WireSchedule(Shape(100, 12), Plenty, seed: 1);
        var arrivals = Enumerable.Range(0, 4).Select(_ => schedule.Admit(0, Packet)).ToList();
        Assert.That(arrivals, Is.EqualTo(new[] { 51, 52, 53, 54 }.Select(at => at * Millisecond)));
    }

    [Test]
    public void An_idle_wire_saves_up_nothing()
    {
        var schedule = new WireSchedule(Shape(0, 12), Plenty, seed: 1);
        schedule.Admit(0, Packet);
        Assert.That(schedule.Admit(1000 * Millisecond, Packet), Is.EqualTo(1001 * Millisecond));
    }

    [TestCase(100)]
    [TestCase(1000)]
    public void A_second_of_surplus_gives_a_second_at_the_rate(double rate)
    {
        var schedule = new WireSchedule(Shape(10, rate), queue: 64 * 1024, seed: 1);
        long bytes = 0, last = 0;
        // Twice what it takes.
        var apart = (long)(Packet * 8000 / rate / 2);
        for (long now = 0; now < 1000 * Millisecond; now += apart)
        {
            var at = schedule.Admit(now, Packet);
            if (at == WireSchedule.Lost) continue;
            bytes += Packet;
            last = at;
        }

        Assert.That(bytes * 8000.0 / (last - (5 * Millisecond)), Is.EqualTo(rate).Within(1).Percent);
        Assert.That(schedule.Dropped, Is.GreaterThan(0));
    }

    [Test]
    public void What_does_not_fit_into_the_queue_is_dropped_at_its_tail()
    {
        var schedule = new WireSchedule(Shape(0, 12), queue: 4 * Packet, seed: 1);
        var passed = Enumerable.Range(0, 10).Select(_ => schedule.Admit(0, Packet) != WireSchedule.Lost).ToList();
        Assert.That(passed, Is.EqualTo(Enumerable.Range(0, 10).Select(i => i < 4)));
        Assert.That(schedule.Dropped, Is.EqualTo(6));
        // One has left by then.
        Assert.That(schedule.Admit(Millisecond, Packet), Is.EqualTo(5 * Millisecond));
        Assert.That(schedule.Admit(Millisecond, Packet), Is.EqualTo(WireSchedule.Lost));
    }

    [TestCase(0.002)]
    [TestCase(0.05)]
    public void The_asked_share_is_lost_the_same_in_every_run(double loss)
    {
        const int packets = 500_000;
        var first = Lost(seed: 7);
        Assert.That(first, Is.EqualTo(packets * loss).Within(10).Percent);
        Assert.That(Lost(seed: 7), Is.EqualTo(first));

        long Lost(int seed)
        {
            var schedule = new WireSchedule(Shape(1, 0, loss: loss), Plenty, seed);
            for (var i = 0; i < packets; i++) schedule.Admit(i, 100);
            return schedule.LostByChance;
        }
    }

    [Test]
    public void What_is_lost_has_taken_its_time_on_the_wire()
    {
        var schedule = new WireSchedule(Shape(0, 12, loss: 0.5), Plenty, seed: 3);
        var last = Enumerable.Range(0, 100).Select(_ => schedule.Admit(0, Packet)).Last(at => at != WireSchedule.Lost);
        Assert.That(schedule.LostByChance, Is.GreaterThan(20));
        Assert.That(last % Millisecond, Is.Zero);
        Assert.That(last, Is.GreaterThan(90 * Millisecond));
    }

    [Test]
    public void No_rate_means_no_queue()
    {
        var schedule = new WireSchedule(Shape(10, 0), queue: 0, seed: 1);
        Assert.That(Enumerable.Range(0, 1000).Select(_ => schedule.Admit(0, 65000)), Is.All.EqualTo(5 * Millisecond));
    }

    [Test]
    public void Jitter_varies_the_delay_within_its_bounds_abarrivalsthe_same_mean_and_keeps_order()
    {
        var schedule = new WireSchedule(Shape(100, 0, jitter: 5), Plenty, seed: 11);
        var delays = new List<double>();
        long before = 0;
        for (long now = 0; now < 20_000 * Millisecond; now += Millisecond / 4)
        {
            var at = schedule.Admit(now, Packet);
            Assert.That(at, Is.GreaterThanOrEqualTo(before));
            before = at;
            delays.Add((at - now) / (double)Millisecond);
        }

        Assert.That(delays.Min(), Is.InRange(45, 46));
        Assert.That(delays.Max(), Is.InRange(54, 55));
        Assert.That(delays.Average(), Is.EqualTo(50).Within(0.5));
    }

    [Test]
    public void The_same_seed_gives_the_same_delays_and_another_gives_others()
    {
        var one = new WanderingDelay(5, seed: 1);
        var same = new WanderingDelay(5, seed: 1);
        var other = new WanderingDelay(5, seed: 2);
        var times = Enumerable.Range(0, 50).Select(i => i * 7.3).ToList();
        Assert.That(times.Select(same.At), Is.EqualTo(times.Select(one.At)));
        Assert.That(times.Select(other.At), Is.Not.EqualTo(times.Select(one.At)));
    }

    [TestCase(100, 100, 1_250_000)]
    [TestCase(1, 100, 262_144)]
    [TestCase(10, 0, 262_144)]
    public void The_usual_queue_is_a_bandwidth_delay_product_and_not_too_small(double roundTrip, double rate, long bytes) =>
        Assert.That(WireSchedule.DefaultQueue(Shape(roundTrip, rate)), Is.EqualTo(bytes));
}
