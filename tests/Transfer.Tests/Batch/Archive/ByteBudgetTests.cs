using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Archive.Format;

namespace Transfer.Tests.Batch.Archive;

/// <summary>A job's memory, and who gets it when.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class ByteBudgetTests
{
    private readonly ByteBudget _budget = new(100);

    [Test]
    public async Task Whoever_waits_has_his_turn_in_order()
    {
        var first = await _budget.TakeAsync(60, default);
        var large = _budget.TakeAsync(80, default).AsTask();
        var small = _budget.TakeAsync(10, default).AsTask();
        Assert.That((large.IsCompleted, small.IsCompleted), Is.EqualTo((false, false)),
            "there is room for the small one, but it came later");
        first.Dispose();
        first.Dispose();
        using var second = await large;
        using var third = await small;
        Assert.That(_budget.Used, Is.EqualTo((90L, 90L)));
    }

    [Test]
    public void Without_a_line_nothing_is_reserved_and_what_finds_no_room_gets_the_least_uncounted()
    {
        var budget = new ByteBudget(100, reserved: 0);
        using var half = budget.Take(most: 64, least: 8);
        using var rest = budget.Take(most: 64, least: 8);
        Assert.That((half.Bytes, rest.Bytes, budget.TryTake(8)), Is.EqualTo((64L, 32L, (BudgetShare?)null)));
        using (var least = budget.Take(most: 64, least: 8)) Assert.That((least.Bytes, budget.Used), Is.EqualTo((8L, (96L, 96L))));
        Assert.That(budget.Used.Now, Is.EqualTo(96));
        Assert.That(() => new ByteBudget(-1), Throws.InstanceOf<ArgumentOutOfRangeException>());
    }

    [Test]
    public async Task Who_wants_more_than_there_is_goes_alone()
    {
        var first = await _budget.TakeAsync(1, default);
        var huge = _budget.TakeAsync(1000, default).AsTask();
        var other = _budget.TakeAsync(1, default).AsTask();
        Assert.That(huge.IsCompleted, Is.False);
        first.Dispose();
        var alone = await huge;
        Assert.That(other.IsCompleted, Is.False);
        alone.Dispose();
        (await other).Dispose();
        Assert.That(_budget.Used, Is.EqualTo((0L, 1000L)));
    }

    [Test]
    public async Task Who_stops_waiting_leaves_his_place_to_those_behind()
    {
        using var stop = new CancellationTokenSource();
        using var first = await _budget.TakeAsync(60, default);
        var large = _budget.TakeAsync(80, stop.Token).AsTask();
        var small = _budget.TakeAsync(40, default).AsTask();
        await stop.CancelAsync();
        Assert.That(async () => await large,
            Throws.InstanceOf<OperationCanceledException>().With.Property("CancellationToken").EqualTo(stop.Token));
        using var second = await small;
        Assert.That(_budget.Used, Is.EqualTo((100L, 100L)));
        Assert.That(async () => await _budget.TakeAsync(1, stop.Token), Throws.InstanceOf<OperationCanceledException>());
    }

    [Test]
    public async Task What_is_taken_beside_the_line_leaves_it_a_quarter_and_gives_way_to_it()
    {
        var beside = _budget.TryTake(75);
        Assert.That((beside is null, _budget.TryTake(1)), Is.EqualTo((false, (BudgetShare?)null)));
        using var first = await _budget.TakeAsync(25, default);
        var second = _budget.TakeAsync(20, default).AsTask();
        beside!.Dispose();
        using (await second)
        {
            Assert.That(_budget.TryTake(56), Is.Null);
            using var rest = _budget.TryTake(55);
            Assert.That(_budget.Used, Is.EqualTo((100L, 100L)));
            var waiting = _budget.TakeAsync(30, default).AsTask();
            Assert.That(_budget.TryTake(0), Is.Null, "somebody waits");
            rest!.Dispose();
            (await waiting).Dispose();
        }
    }

    [TestCase(64L << 20, 8, false)]
    [TestCase(64L << 20, 64, false)]
    [TestCase(64L << 20, 8, true)]
    [TestCase(64L << 20, 64, true)]
    [TestCase(16L << 20, 8, true)]
    [TestCase(32L << 20, 64, true)]
    public void The_parts_are_no_more_than_the_whole_and_all_lanes_pack_at_once(long bytes, int lanes, bool deltas)
    {
        var sending = JobBuffers.ForSending(bytes, lanes, deltas);
        Assert.That((2L * sending.Ahead * lanes) + sending.Archives.Bytes + sending.Steps.Bytes + sending.Signatures, Is.EqualTo(bytes));
        var spooling = JobBuffers.ForSpooling(bytes, lanes, deltas);
        Assert.That((128L * 1024 * lanes) + spooling.Archives.Bytes + spooling.Steps.Bytes + spooling.Signatures, Is.EqualTo(bytes));
        if (bytes == JobBuffers.Usual)
        {
            Assert.That((sending.Packing * lanes, spooling.Packing * lanes),
                Is.LessThanOrEqualTo((sending.Archives.Bytes, spooling.Archives.Bytes / 4)));
        }

        var receiving = JobBuffers.ForReceiving(bytes, 64);
        Assert.That((2L * receiving.Ahead * 64) + receiving.Archives.Bytes, Is.EqualTo(bytes));
    }

    [Test]
    public void For_the_hashes_of_any_file_there_is_room_in_what_is_usual()
    {
        var most = JobBuffers.ForSending(JobBuffers.Usual, 8, deltas: true).Signatures;
        for (var bits = 14; bits <= 43; bits++)
        {
            Assert.That((long)BlockShape.MostSignature(1L << bits) + BlockShape.MostIndex(1L << bits), Is.LessThanOrEqualTo(most),
                $"2^{bits}");
        }
    }

    [Test]
    public void With_the_usual_lanes_and_memory_nothing_is_shorter()
    {
        var sending = JobBuffers.ForSending(JobBuffers.Usual, 8, deltas: true);
        Assert.That((sending.FrameBits, sending.Ahead, sending.Signatures), Is.EqualTo((18, 1 << 20, 32L << 20)));
        Assert.That(JobBuffers.ForSpooling(JobBuffers.Usual, 8, deltas: true).FrameBits, Is.EqualTo(18));
    }
}
