using System.Globalization;
using Transfer.Contents;

namespace Transfer.Tests.Engine;

/// <summary>Rate limits that change in the course of a week.</summary>
public sealed class RateScheduleTests
{
    // A Monday, in UTC, which is the local time of the clock.
    private static readonly DateTimeOffset Monday = new(2031, 5, 5, 0, 0, 0, TimeSpan.Zero);

    private static readonly RateSchedule Office = new(
    [
        new RateChange(new TimeOnly(18, 0), null),
        new RateChange(new TimeOnly(8, 0), 1000),
        new RateChange(new TimeOnly(8, 0), 5000) { Day = DayOfWeek.Friday },
        new RateChange(new TimeOnly(0, 0), 9000) { Day = DayOfWeek.Sunday },
    ]);

    [TestCase(0, "08:00", 1000L)]
    [TestCase(0, "07:59", null)]
    [TestCase(0, "17:59", 1000L)]
    [TestCase(0, "18:00", null)]
    [TestCase(4, "08:00", 5000L, Description = "a day's own change counts more")]
    [TestCase(5, "07:00", null)]
    [TestCase(6, "00:00", 9000L)]
    [TestCase(6, "07:59", 9000L)]
    [TestCase(6, "08:00", 1000L)]
    public void Each_limit_holds_until_the_next_change(int day, string time, long? expected) =>
        Assert.That(Office.At(Monday.AddDays(day) + TimeSpan.Parse(time, CultureInfo.InvariantCulture)), Is.EqualTo(expected));

    [Test]
    public void The_last_limit_of_a_week_holds_until_the_first_of_the_next()
    {
        var schedule = new RateSchedule([new RateChange(new TimeOnly(12, 0), 7) { Day = DayOfWeek.Wednesday }]);
        Assert.That((schedule.At(Monday), schedule.At(Monday.AddDays(6))), Is.EqualTo((7L, 7L)));
    }

    [Test]
    public void What_says_nothing_or_contradicts_itself_is_refused()
    {
        var at = new TimeOnly(8, 0);
        Assert.Multiple(() =>
        {
            Assert.That(() => new RateSchedule([]), Throws.ArgumentException);
            Assert.That(() => new RateSchedule([new RateChange(at, 0)]), Throws.ArgumentException);
            Assert.That(() => new RateSchedule([new RateChange(at, 1), new RateChange(at, 2)]), Throws.ArgumentException);
            Assert.That(() => new RateSchedule([new RateChange(at, 1) { Day = (DayOfWeek)7 }]), Throws.ArgumentException);
            Assert.That(() => new MemoryTransferClient(new MemoryStore(), new() { MaxBytesPerSecond = 1, RateSchedule = Office }),
                Throws.ArgumentException);
        });
    }

    [Test]
    public async Task A_taker_follows_the_change_from_a_low_limit_to_none_and_back()
    {
        var time = new ManualTime(Monday.AddHours(17).AddMinutes(59).AddSeconds(50));
        var limit = new RateLimit(Office, time);
        Assert.That((limit.IsOff, limit.MostAtOnce), Is.EqualTo((false, 50)));
        await limit.TakeAsync(1_000_000, CancellationToken.None);
        var late = limit.TakeAsync(1_000_000, CancellationToken.None).AsTask();
        time.Advance(TimeSpan.FromSeconds(9));
        Assert.That(late.IsCompleted, Is.False, "a million bytes take a quarter of an hour at this limit");
        time.Advance(TimeSpan.FromSeconds(1));
        time.Advance(TimeSpan.FromSeconds(1));
        await late.WaitAsync(TimeSpan.FromSeconds(10));
        Assert.That((limit.IsOff, limit.MostAtOnce), Is.EqualTo((true, 256 * 1024)));
        await limit.TakeAsync(1_000_000_000, CancellationToken.None);
        await limit.TakeAsync(1_000_000_000, CancellationToken.None);

        time.Advance(TimeSpan.FromHours(14));
        Assert.That(limit.IsOff, Is.False);
        await limit.TakeAsync(1000, CancellationToken.None);
        var next = limit.TakeAsync(1, CancellationToken.None).AsTask();
        Assert.That(next.IsCompleted, Is.False, "the limit holds again");
        time.Advance(TimeSpan.FromSeconds(1));
        await next.WaitAsync(TimeSpan.FromSeconds(10));
    }

    [Test]
    public async Task A_lower_limit_holds_for_what_comes_and_owes_nothing()
    {
        var schedule = new RateSchedule(
            [new RateChange(new TimeOnly(8, 0), 1_000_000), new RateChange(new TimeOnly(9, 0), 1000)]);
        var time = new ManualTime(Monday.AddHours(8).AddMinutes(59).AddSeconds(58));
        var limit = new RateLimit(schedule, time);
        await limit.TakeAsync(100_000, CancellationToken.None);
        time.Advance(TimeSpan.FromSeconds(3));
        await limit.TakeAsync(1000, CancellationToken.None);
        var next = limit.TakeAsync(1, CancellationToken.None).AsTask();
        time.Advance(TimeSpan.FromMilliseconds(800));
        Assert.That(next.IsCompleted, Is.False);
        time.Advance(TimeSpan.FromMilliseconds(200));
        await next.WaitAsync(TimeSpan.FromSeconds(10));
    }

    [Test]
    public async Task A_running_job_follows_the_change()
    {
        var time = new ManualTime(Monday.AddHours(17).AddMinutes(59).AddSeconds(57));
        var store = new MemoryStore();
        await using var client = new MemoryTransferClient(store, new() { RateSchedule = Office, TimeProvider = time });
        var upload = client.UploadAsync(new MemoryStream(new byte[1_000_000]), "/a");
        for (var second = 0; second < 2; second++) time.Advance(TimeSpan.FromSeconds(1));
        Assert.That(upload.IsCompleted, Is.False);
        await Eventually.TrueAsync(() =>
        {
            time.Advance(TimeSpan.FromMilliseconds(100));
            return upload.IsCompleted;
        });
        await upload;
        Assert.That(store["/a"]!.Length, Is.EqualTo(1_000_000));
        Assert.That(time.GetUtcNow(), Is.LessThan(Monday.AddHours(18).AddMinutes(10)), "at the limit it is a quarter of an hour");
    }
}
