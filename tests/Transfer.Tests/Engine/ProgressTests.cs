namespace Transfer.Tests.Engine;

public sealed class ProgressTests
{
    private readonly ManualTime _time = new();

    [Test]
    public async Task Reports_come_ten_times_a_second_at_most_and_once_more_at_the_end()
    {
        var seen = new Collected<TransferProgress>();
        var reporter = new ProgressReporter(seen, _time, _ => { });
        for (var i = 0; i < 1000; i++)
        {
            reporter.Moved(10);
            _time.Advance(TimeSpan.FromMilliseconds(1));
        }
        Assert.That(seen.Values, Has.Count.EqualTo(10));
        reporter.Moved(5);
        await reporter.DisposeAsync();
        Assert.That(seen.Values, Has.Count.EqualTo(11));
        Assert.That(seen.Values[^1].Bytes, Is.EqualTo(10_005));
        _time.Advance(TimeSpan.FromSeconds(5));
        Assert.That(seen.Values, Has.Count.EqualTo(11));
    }

    [Test]
    public async Task Nothing_new_is_not_reported_except_at_the_end()
    {
        var seen = new Collected<TransferProgress>();
        var reporter = new ProgressReporter(seen, _time, _ => { });
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.That(seen.Values, Is.Empty);
        await reporter.DisposeAsync();
        Assert.That(seen.Values, Has.Count.EqualTo(1));
    }

    [Test]
    public async Task The_rate_is_that_of_the_last_seconds()
    {
        var seen = new Collected<TransferProgress>();
        await using var reporter = new ProgressReporter(seen, _time, _ => { });
        Move(10, 1000);
        Assert.That(seen.Values[^1].BytesPerSecond, Is.EqualTo(10_000).Within(1));
        Move(40, 500);
        Assert.That(seen.Values[^1].BytesPerSecond, Is.EqualTo(5_000).Within(1), "what was faster is out of the window");
        _time.Advance(TimeSpan.FromSeconds(4));
        Assert.That(seen.Values[^1].BytesPerSecond, Is.Zero);

        void Move(int times, long bytes)
        {
            for (var i = 0; i < times; i++)
            {
                reporter.Moved(bytes);
                _time.Advance(TimeSpan.FromMilliseconds(100));
            }
        }
    }

    [Test]
    public async Task The_time_left_is_told_once_the_totals_are_known_and_something_moves()
    {
        var seen = new Collected<TransferProgress>();
        await using var reporter = new ProgressReporter(seen, _time, _ => { });
        reporter.Plan(10_000);
        Pass(bytes: 100);
        Assert.That(seen.Values[^1].TimeLeft, Is.Null, "there may be more");
        reporter.PlanComplete();
        Pass(bytes: 100);
        Assert.That(seen.Values[^1].TimeLeft, Is.EqualTo(TimeSpan.FromSeconds(9.8)), "9,800 bytes at 1,000 a second");
        _time.Advance(TimeSpan.FromSeconds(4));
        Assert.That(seen.Values[^1].TimeLeft, Is.Null, "nothing moves");
        Pass(bytes: 9_800);
        reporter.FileDone();
        _time.Advance(TimeSpan.FromMilliseconds(100));
        Assert.That(seen.Values[^1].TimeLeft, Is.EqualTo(TimeSpan.Zero));

        void Pass(long bytes)
        {
            reporter.Moved(bytes);
            _time.Advance(TimeSpan.FromMilliseconds(100));
        }
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task Where_bytes_say_nothing_the_files_tell_the_time_left(bool areEmpty)
    {
        var seen = new Collected<TransferProgress>();
        await using var reporter = new ProgressReporter(seen, _time, _ => { });
        for (var i = 0; i < 10; i++) reporter.Plan(areEmpty ? 0 : null);
        reporter.PlanComplete();
        for (var i = 0; i < 2; i++)
        {
            reporter.FileDone();
            _time.Advance(TimeSpan.FromMilliseconds(500));
        }
        Assert.That((seen.Values[^1].FilesPerSecond, seen.Values[^1].TimeLeft), Is.EqualTo((2.0, (TimeSpan?)TimeSpan.FromSeconds(4))));
    }

    [Test]
    public async Task A_total_beyond_64_bits_stays_at_the_largest_number_and_is_exact_once_files_have_left_it()
    {
        const long Huge = 1L << 62;
        var seen = new Collected<TransferProgress>();
        await using var reporter = new ProgressReporter(seen, _time, _ => { });
        for (var i = 0; i < 3; i++) reporter.Plan(Huge);
        reporter.PlanComplete();
        _time.Advance(TimeSpan.FromMilliseconds(100));
        Assert.That(seen.Values[^1].TotalBytes, Is.EqualTo(long.MaxValue));
        for (var i = 0; i < 2; i++) reporter.Unplan(Huge);
        _time.Advance(TimeSpan.FromMilliseconds(100));
        Assert.That(seen.Values[^1].TotalBytes, Is.EqualTo(Huge));
    }

    [TestCase(long.MaxValue, 1)]
    [TestCase(1, double.Epsilon)]
    [TestCase(1, double.NaN)]
    public void A_time_that_is_too_long_is_not_told(long left, double rate) =>
        Assert.That(new TransferProgress { TotalBytes = left, BytesPerSecond = rate }.TimeLeft, Is.Null);

    [Test]
    public void More_than_was_planned_leaves_nothing() =>
        Assert.That(new TransferProgress { Bytes = 20, TotalBytes = 10, Files = 2, TotalFiles = 1, BytesPerSecond = 1 }.TimeLeft,
            Is.EqualTo(TimeSpan.Zero));

    [Test]
    public async Task Totals_are_told_when_they_are_known()
    {
        var seen = new Collected<TransferProgress>();
        await using var reporter = new ProgressReporter(seen, _time, _ => { });
        reporter.Plan(10);
        reporter.Plan(5);
        _time.Advance(TimeSpan.FromMilliseconds(100));
        reporter.Moved(1);
        _time.Advance(TimeSpan.FromMilliseconds(100));
        Assert.That((seen.Values[^1].TotalBytes, seen.Values[^1].TotalFiles), Is.EqualTo(((long?)null, (long?)null)));
        reporter.PlanComplete();
        _time.Advance(TimeSpan.FromMilliseconds(100));
        Assert.That((seen.Values[^1].TotalBytes, seen.Values[^1].TotalFiles), Is.EqualTo(((long?)15, (long?)2)));
        reporter.Plan(null);
        reporter.Moved(1);
        _time.Advance(TimeSpan.FromMilliseconds(100));
        Assert.That(seen.Values[^1].TotalBytes, Is.Null, "one length is missing");
    }

    [Test]
    public async Task What_a_handler_throws_ends_the_job_and_surfaces()
    {
        var store = new MemoryStore();
        await using var client = new MemoryTransferClient(store, new() { TimeProvider = _time });
        store.Faults.On("uploaded", new Fault { Hold = async ct => { _time.Advance(TimeSpan.FromSeconds(1)); await Task.Delay(-1, ct); } });
        var error = await client.UploadAsync(new MemoryStream([1]), "/f",
            progress: new Throwing<TransferProgress>()).Failure<FormatException>();
        Assert.That(error.Message, Is.EqualTo("a mistake in the application"));
        Assert.That(store.Files, Is.Empty);
    }

    [Test]
    public async Task Bytes_of_an_attempt_that_came_to_nothing_are_taken_back()
    {
        var store = new MemoryStore();
        store.Faults.CutAtByte(50_000);
        var seen = new Collected<TransferProgress>();
        await using var client = new MemoryTransferClient(store);
        await client.UploadAsync(new MemoryStream(new byte[100_000]), "/f", progress: seen).Soon();
        Assert.That((seen.Values[^1].Bytes, seen.Values[^1].TotalBytes), Is.EqualTo((100_000L, (long?)100_000L)));
    }

    private sealed class Throwing<T> : IProgress<T>
    {
        public void Report(T value) => throw new FormatException("a mistake in the application");
    }
}
