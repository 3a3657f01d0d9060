using Transfer.Contents;
using Transfer.Engine.Files;
using Transfer.Engine.Jobs;
using Transfer.Engine.Scheduling;
using Transfer.Engine.Segments;
using Transfer.Handles;
using Transfer.Sessions;

namespace Transfer.Tests.Engine;

/// <summary>The large files of one job: begun, shared and ended, by calls alone. The client's sessions never open.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class JobSegmentsTests : IAsyncDisposable
{
    private const int Most = 4;
    private const long Mega = 1 << 20;

    private readonly ClientEngine _engine;
    private readonly EngineJob _job;
    private readonly JobStanding _standing;
    private readonly FileLine _files;
    private readonly JobLine _line;
    private readonly JobSegments _segments;

    public JobSegmentsTests()
    {
        _engine = new ClientEngine(new Uri("memory://host/"), new() { MaxSessions = Most }, () => Most, NeverAsync, _ => false);
        _job = new EngineJob("test", _engine, default, new TransferJobContext());
        _standing = new JobStanding(_engine.Scheduler.Gate);
        var context = new JobContext(_engine, _standing, _job, new JobPause(), CancellationToken.None, CancellationToken.None);
        var rules = new SegmentRules(null, null, () => new TransferFeatures { SegmentedDownloads = true });
        _files = new FileLine(hasSeveralSessions: true, () => true, rules.CanBeDivided);
        _line = new JobLine(new SchedulerPlace(_engine.Scheduler, _job.Dispatcher), _files, _standing, _ => false);
        _segments = new JobSegments(_engine.Scheduler, _job.Dispatcher, context, _line, rules, (Most, Most), own: Most);
    }

    public async ValueTask DisposeAsync()
    {
        _segments.Dispose();
        await _job.DisposeAsync();
        await _engine.DisposeAsync();
    }

    [Test]
    public void A_large_file_begins_as_a_part_that_counts_beside_the_file()
    {
        var file = Taken(64 * Mega);
        var part = _segments.BeginWhereItPays(file);
        Assert.That((part.Segment!.Whole.File, part.Segment.Start, part.Segment.End), Is.EqualTo((file, 0L, 64 * Mega)));
        Assert.That((_standing.UnsettledLocked, file.Attempts.Count), Is.EqualTo((2, 1)));
    }

    [TestCase(Mega, false, null)]
    [TestCase(64 * Mega, true, null)]
    [TestCase(64 * Mega, false, 5L)]
    public void A_file_that_is_short_must_stay_whole_or_goes_on_in_one_piece_is_not_divided(long length, bool mustStayWhole, long? goesOnAt)
    {
        var file = Taken(length);
        file.MustStayWhole = mustStayWhole;
        file.Attempts.ContinueAt = goesOnAt;
        Assert.That(_segments.BeginWhereItPays(file), Is.SameAs(file));
        Assert.That((_standing.UnsettledLocked, Share()), Is.EqualTo((1, (JobFile?)null)));
    }

    [Test]
    public void Idle_sessions_get_halves_of_the_rest_and_each_counts()
    {
        var first = _segments.BeginWhereItPays(Taken(64 * Mega));
        var (second, third) = (Share()!, Share()!);
        Assert.That(new[] { first, second, third }.Select(part => (part.Segment!.Start / Mega, part.Segment.End / Mega)),
            Is.EquivalentTo(new[] { (0L, 16L), (32L, 64L), (16L, 32L) }).Or.EquivalentTo(new[] { (0L, 32L), (32L, 48L), (48L, 64L) }));
        Assert.That(_standing.UnsettledLocked, Is.EqualTo(1 + 3));
    }

    [Test]
    public void Only_the_last_part_ends_the_file_and_no_session_is_wanted_for_it_any_more()
    {
        var first = _segments.BeginWhereItPays(Taken(64 * Mega));
        var second = Share()!;
        Assert.That(_segments.End(second, Moved(second)), Is.False);
        Assert.That(_segments.End(first, Moved(first)), Is.True);
        lock (_engine.Scheduler.Gate) Assert.That((_segments.RoomLocked, _segments.MostLocked), Is.EqualTo((0, Most)));
        Assert.That((Share(), first.Segment!.Whole.Moved), Is.EqualTo(((JobFile?)null, 64 * Mega)));
    }

    [Test]
    public async Task A_part_that_fails_stops_the_others_and_no_more_begin()
    {
        var first = _segments.BeginWhereItPays(Taken(64 * Mega));
        var second = Share()!;
        var error = new TransferException(TransferError.Denied, "no");
        Assert.That(_segments.End(second, new FileEnd(null, error)), Is.False);
        await Eventually.TrueAsync(() => first.Stop.IsCancellationRequested, "the first part's stop");
        Assert.That(Share(), Is.Null);
        Assert.That(_segments.End(first, FileEnd.Canceled), Is.True);
        Assert.That(first.Segment!.Whole.Failure!.Value.Error, Is.SameAs(error));
    }

    [Test]
    public void What_sessions_have_seen_of_the_source_is_kept_with_the_file()
    {
        var part = _segments.BeginWhereItPays(Taken(64 * Mega));
        var stamp = new FileStamp(64 * Mega, Samples.Time);
        _segments.Learn(part.Segment!.Whole, new WorkOutcome.Done(1, VerificationMode.Reply)
        {
            Source = stamp,
            FinalMode = UnixFileMode.UserRead,
        });
        _segments.Learn(part.Segment.Whole, new WorkOutcome.Done(1, VerificationMode.Reply));
        Assert.That(part.Segment.Whole.Sources, Is.EqualTo(new FileStamp?[] { stamp, null }));
        Assert.That(part.Segment.Whole.Mode, Is.EqualTo(UnixFileMode.UserRead));
    }

    private JobFile Taken(long length)
    {
        _line.TryAdd(new JobFile(new FileSpec { Name = "file", Kind = WorkKind.Download, RemotePath = "/file" }, new Sized(length)));
        return _files.TakeLocked(1, Most, alone: true).Single();
    }

    private JobFile? Share()
    {
        lock (_engine.Scheduler.Gate) return _segments.ShareLocked();
    }

    private static FileEnd Moved(JobFile part) =>
        new(new TransferResult { Bytes = part.Segment!.End - part.Segment.Start, Verified = VerificationMode.Size }, null);

    private static async ValueTask<TransferSession> NeverAsync(Func<WorkKind?> expected, CancellationToken ct)
    {
        await Task.Delay(Timeout.Infinite, ct);
        throw new InvalidOperationException("The wait ends by cancellation only.");
    }

    private sealed class Sized(long length) : EngineContent
    {
        public override long? Length => length;

        public override bool HasRanges => true;

        public override bool CanReplay => true;
    }
}
