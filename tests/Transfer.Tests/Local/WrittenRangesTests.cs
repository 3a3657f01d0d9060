using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Journal;
using Transfer.Local.Contents;

namespace Transfer.Tests.Local;

/// <summary>When ranges of a file being received are flushed and told to the journal.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class WrittenRangesTests : IDisposable
{
    private const int Step = 16 << 20;
    private readonly TempFolder _local = new();
    private readonly ManualTime _time = new();

    public void Dispose() => _local.Dispose();

    [TestCase(Step, 1000, true)]
    [TestCase(Step - 1, 1000, false)]
    [TestCase(Step, 999, false)]
    public Task A_range_is_told_when_it_has_grown_enough_and_a_second_has_passed(int bytes, int milliseconds, bool told) =>
        AssertToldAsync((bytes, milliseconds, told));

    [Test]
    public Task What_came_too_soon_goes_with_what_comes_next() => AssertToldAsync((Step - 1, 0, null), (1, 999, null), (1, 1, true));

    [TestCase(1000, true)]
    [TestCase(999, false)]
    public Task The_next_flush_is_a_second_after_the_last(int milliseconds, bool told) =>
        AssertToldAsync((Step, 1000, true), (Step, milliseconds, told));

    // So many bytes come after so many milliseconds each, and the journal is told of them or not; null: that is not looked at.
    private async Task AssertToldAsync(params (int Bytes, int After, bool? Told)[] writes)
    {
        var path = _local["journal"];
        using var journal = JobJournal.Open(path, "job", new TemporaryNames(), resume: false, namesAll: true, NullLogger.Instance,
            JournalFlush.Never, _time);
        var journaled = new JournaledFile(journal, "f", SourceStamp.Of(64 << 20, DateTimeOffset.UnixEpoch), inRanges: true);
        using var handle = File.OpenHandle(_local["f"], FileMode.CreateNew, FileAccess.ReadWrite);
        RandomAccess.SetLength(handle, 64 << 20);
        var ranges = new WrittenRanges(handle, _local["f"], journaled);
        var next = 0L;
        foreach (var (bytes, after, told) in writes)
        {
            var before = new FileInfo(path).Length;
            _time.Advance(TimeSpan.FromMilliseconds(after));
            Write(bytes);
            if (told is null) continue;
            if (told.Value)
            {
                // The flush before may be told already, but not over yet: then it is a later byte's turn.
                await Eventually.TrueAsync(() =>
                {
                    if (new FileInfo(path).Length > before) return true;
                    Write(1);
                    return false;
                });
            }
            else
            {
                await ranges.StopAsync();
                Assert.That(new FileInfo(path).Length, Is.EqualTo(before));
            }
        }
        await ranges.StopAsync();

        void Write(int count)
        {
            ranges.Wrote(next, count);
            next += count;
        }
    }
}
