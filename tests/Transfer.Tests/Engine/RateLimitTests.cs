using System.Diagnostics.CodeAnalysis;
using Transfer.Contents;

namespace Transfer.Tests.Engine;

[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class RateLimitTests
{
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(1);

    private readonly ManualTime _time = new();

    [TestCase(1_000L, 1)]
    [TestCase(100_000L, 3)]
    [TestCase(10_000_000L, 8)]
    [TestCase(2_000_000_000L, 8)]
    public void Ten_seconds_let_ten_seconds_worth_through_and_everybody_gets_a_share(long rate, int takers)
    {
        var limit = new RateLimit(rate, _time);
        var moved = Run(limit, takers, TimeSpan.FromSeconds(10));
        Assert.That(moved.Sum(), Is.EqualTo(10.0 * rate).Within(1).Percent);
        Assert.That(moved.Max() - moved.Min(), Is.LessThanOrEqualTo(2 * limit.MostAtOnce + rate / 10), "turns");
    }

    [Test]
    public void What_a_pause_left_unused_is_a_short_burst_only()
    {
        var limit = new RateLimit(1_000_000, _time);
        _time.Advance(TimeSpan.FromHours(1));
        var moved = Run(limit, 4, TimeSpan.FromSeconds(1)).Sum();
        Assert.That(moved, Is.InRange(1_000_000, 1_000_000 + 100_000 + 2 * limit.MostAtOnce));
    }

    [Test]
    public void A_turn_is_a_small_part_of_a_second_and_a_byte_at_least()
    {
        Assert.That(new RateLimit(1, _time).MostAtOnce, Is.EqualTo(1));
        Assert.That(new RateLimit(1_000_000, _time).MostAtOnce, Is.EqualTo(50_000));
        Assert.That(new RateLimit(long.MaxValue, _time).MostAtOnce, Is.EqualTo(256 * 1024));
    }

    [Test]
    public async Task A_cancelled_wait_ends_at_once_with_its_token_and_gives_its_bytes_back()
    {
        var limit = new RateLimit(1000, _time);
        await limit.TakeAsync(1000, CancellationToken.None);
        using var cancel = new CancellationTokenSource();
        var given = limit.TakeAsync(100_000, cancel.Token).AsTask();
        cancel.Cancel();
        Assert.That((await given.Failure<OperationCanceledException>()).CancellationToken, Is.EqualTo(cancel.Token));

        var next = limit.TakeAsync(1, CancellationToken.None);
        _time.Advance(TimeSpan.FromMilliseconds(999));
        Assert.That(next.IsCompleted, Is.False, "the first thousand are not paid for");
        _time.Advance(Tick);
        Assert.That(next.IsCompletedSuccessfully, Is.True, "nothing was taken beside them");
        await next;
    }

    [Test]
    public void A_token_that_has_fired_takes_nothing()
    {
        var limit = new RateLimit(1000, _time);
        Assert.That(limit.TakeAsync(100_000, new CancellationToken(true)).AsTask().IsCanceled, Is.True);
        Assert.That(limit.TakeAsync(1, CancellationToken.None).AsTask().IsCompletedSuccessfully, Is.True);
    }

    [Test]
    public void What_did_not_move_is_given_back()
    {
        var limit = new RateLimit(1000, _time);
        Assert.That(limit.TakeAsync(5000, CancellationToken.None).AsTask().IsCompletedSuccessfully, Is.True);
        limit.Return(5000);
        Assert.That(limit.TakeAsync(1, CancellationToken.None).AsTask().IsCompletedSuccessfully, Is.True);
    }

    [Test]
    public void Waiting_allocates_nothing_once_it_has_begun()
    {
        using var cancel = new CancellationTokenSource();
        var limit = new RateLimit(1_000_000, _time);
        for (var i = 0; i < 10; i++) _ = TakeOne();
        var allocated = 0L;
        for (var i = 0; i < 200; i++) allocated += TakeOne();
        Assert.That(allocated, Is.Zero);

        long TakeOne()
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            var wait = limit.TakeAsync(10_000, cancel.Token);
            var bytes = GC.GetAllocatedBytesForCurrentThread() - before;
            _time.Advance(TimeSpan.FromMilliseconds(10));
            before = GC.GetAllocatedBytesForCurrentThread();
            wait.GetAwaiter().GetResult();
            return bytes + GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    // Takers that take again as soon as they may, in steps of a millisecond.
    [SuppressMessage("Reliability", "CA2012", Justification = "Each is looked at again and again, and consumed once.")]
    private long[] Run(RateLimit limit, int takers, TimeSpan time)
    {
        var (moved, random) = (new long[takers], new Random(1));
        var waits = Enumerable.Range(0, takers).Select(_ => new Queue<ValueTask>()).ToArray();
        for (var end = _time.GetTimestamp() + time.Ticks; _time.GetTimestamp() < end; _time.Advance(Tick))
        {
            for (var busy = true; busy;)
            {
                busy = false;
                // Who comes first is chance.
                for (var n = 0; n < takers; n++)
                {
                    var i = random.Next(takers);
                    if (waits[i].TryPeek(out var wait) && !wait.IsCompleted) continue;
                    if (waits[i].TryDequeue(out wait))
                    {
                        wait.GetAwaiter().GetResult();
                        moved[i] += limit.MostAtOnce;
                    }
                    waits[i].Enqueue(limit.TakeAsync(limit.MostAtOnce, CancellationToken.None));
                    busy |= waits[i].Peek().IsCompleted;
                }
            }
        }
        return moved;
    }
}
