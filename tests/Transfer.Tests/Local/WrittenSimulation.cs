using Transfer.Local;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Local;

/// <summary>
/// Seeds draw writes of several sessions, flushes that end late, flushes that fail and lose what was written since the last one, and the
/// moment of a power cut; the decisions on what is safe are driven
/// to the end; a checker compares what was told with what a disk would have. See <see cref="Seeds"/>.
/// </summary>
[TestFixture]
[Parallelizable(ParallelScope.All)]
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class WrittenSimulation
{
    [Test]
    public void What_is_told_is_on_the_disk_after_any_crash() => Seeds.Run(seed => Judge(new Random(seed)));

    // A failing seed goes here, to stay.
    [TestCase(0)]
    public void Known_seeds(int seed) => Assert.That(Judge(new Random(seed)), Is.Null);

    private static string? Judge(Random random)
    {
        var ledger = new WrittenLedger();
        var (cached, safe, told, lost) = (new ByteRanges(), new ByteRanges(), new ByteRanges(), new ByteRanges());
        long[] sessions = [0, 1000, 2000, 5000];
        var everFailed = false;
        IReadOnlyList<(WrittenLedger.Run Run, long Start, long End)>? flushing = null;
        ByteRanges? covered = null;
        for (var step = random.Next(4, 40); step > 0; step--)
        {
            switch (random.Next(4))
            {
                case 0 or 1:
                    var session = random.Next(sessions.Length);
                    var count = random.Next(1, 100);
                    ledger.Wrote(sessions[session], count);
                    cached.Add(sessions[session], sessions[session] + count);
                    sessions[session] += count;
                    break;
                case 2 when flushing is null:
                    flushing = ledger.Unproved();
                    covered = Copy(cached);
                    break;
                case 3 when flushing is not null:
                    if (random.Next(6) == 0)
                    {
                        // The pages are clean from now on, and some of them are nowhere.
                        ledger.Fail();
                        everFailed = true;
                        foreach (var (start, end) in cached.All.Where(range => !safe.Contains(range.Start, range.End)))
                        {
                            lost.Add(start,
                                end);
                        }
                    }
                    else
                    {
                        // A second flush succeeds, whatever the first one has lost.
                        if (!everFailed) foreach (var (start, end) in covered!.All) safe.Add(start, end);
                        foreach (var (run, start, end) in flushing)
                        {
                            if (ledger.HasFailed) break;
                            told.Add(start, end);
                            ledger.Prove(run, end);
                        }
                    }
                    flushing = null;
                    break;
            }
            // The power may go at any time.
            if (told.All.FirstOrDefault(range => !safe.Contains(range.Start, range.End)) is { End: > 0 } wrong)
                return $"{wrong} was told, and is not on the disk";
        }
        if (ledger.HasFailed != everFailed) return "a failed flush is forgotten";
        if (ledger.HasFailed && ledger.Unproved().Count > 0) return "something is to be proved after a flush that failed";
        return ledger.Written().All.SequenceEqual(cached.All) ? null : "what was written is not what is known";
    }

    private static ByteRanges Copy(ByteRanges ranges)
    {
        var copy = new ByteRanges();
        foreach (var (start, end) in ranges.All) copy.Add(start, end);
        return copy;
    }
}
