using FsCheck;
using FsCheck.Fluent;
using Transfer.Engine.Files;
using Transfer.Sessions;

namespace Transfer.Tests.Engine;

/// <summary>The line of one job between additions, sessions that take and ends, without a scheduler, sessions or tasks.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class JobLineTests
{
    private readonly Place _place = new();
    private readonly FileLine _files = new(hasSeveralSessions: true, () => true, _ => false);
    private readonly HashSet<JobFile> _givenUp = [];
    private readonly JobStanding _standing;
    private readonly JobLine _line;

    public JobLineTests()
    {
        _standing = new JobStanding(_place.Gate);
        _line = new JobLine(_place, _files, _standing, _givenUp.Contains);
    }

    [Test]
    public void A_new_file_is_counted_put_in_line_and_shown_to_sessions_that_wait()
    {
        Assert.That(_line.TryAdd(File("a")), Is.True);
        Assert.That((_files.CountLocked, _standing.UnsettledLocked, _place.Unsettled), Is.EqualTo((1, 1, 1)));
        Assert.That(_place.Calls, Is.EqualTo("lined more:1 start"));
    }

    [Test]
    public void A_file_that_comes_back_is_the_next_one_and_not_counted_again()
    {
        Assert.That(_line.TryAdd(File("a")) && _line.TryAdd(File("b")));
        var taken = Take(1).Single();
        Assert.That(_line.TryPutBack(taken));
        Assert.That((Take(1).Single(), _standing.UnsettledLocked), Is.EqualTo((taken, 2)));
        Assert.That(_place.Calls, Does.EndWith(" lined more:0 start"), "no news to sessions that wait for more");
    }

    [Test]
    public void A_given_up_file_and_one_that_can_get_no_session_stay_out_but_count_until_they_are_dropped()
    {
        var file = File("a");
        _givenUp.Add(file);
        Assert.That((_line.TryAdd(file), _line.TryPutBack(file)), Is.EqualTo((false, false)));
        _standing.SetNoSessionLocked(new TransferException(TransferError.Auth, "no"));
        Assert.That(_line.TryAdd(File("b")), Is.False);
        Assert.That((_files.CountLocked, _standing.UnsettledLocked), Is.EqualTo((0, 2)));
        _line.Complete();
        _line.Dropped();
        Assert.That(_place.Removals, Is.Zero);
        _line.Dropped();
        Assert.That((_place.Removals, _standing.Completion.IsCompleted), Is.EqualTo((1, true)));
    }

    [Test]
    public async Task Who_adds_to_a_full_line_waits_until_sessions_have_taken_a_quarter()
    {
        for (var i = 0; i < FileLine.Capacity; i++) Assert.That(_line.TryAdd(File($"{i}")));
        var room = _line.WhenRoomAsync(CancellationToken.None).AsTask();
        Take((FileLine.Capacity / 4) - 1);
        Assert.That(room.IsCompleted, Is.False);
        Take(1);
        await room.Soon();
    }

    [Test]
    public async Task A_wait_for_room_ends_with_the_reason_why_there_never_was_a_session()
    {
        for (var i = 0; i < FileLine.Capacity; i++) _line.TryAdd(File($"{i}"));
        var room = _line.WhenRoomAsync(CancellationToken.None).AsTask();
        var error = new TransferException(TransferError.Auth, "no");
        _standing.SetNoSessionLocked(error);
        Assert.That(_line.TakeAll(butSegments: false), Has.Length.EqualTo(FileLine.Capacity));
        Assert.That(await room.Failure<TransferException>(), Is.SameAs(error));
    }

    [Test]
    public void The_parts_of_a_divided_file_count_besides_it()
    {
        _line.TryAdd(File("whole"));
        var whole = Take(1).Single();
        JobFile[] parts = [File("p0"), File("p1"), File("p2")];
        foreach (var _ in parts) _line.AddPartLocked();
        Assert.That(Take(9), Is.Empty, "sessions have the parts");
        Assert.That(_standing.UnsettledLocked, Is.EqualTo(4));
        _line.Complete();
        foreach (var part in parts)
        {
            _standing.SettlingLocked++;
            _line.Settled(hasEnded: true);
        }
        Assert.That((whole.Name, _place.Removals), Is.EqualTo(("whole", 0)));
        _line.WholeEnded();
        Assert.That((_place.Removals, _place.Unsettled), Is.EqualTo((1, 0)));
    }

    // Whatever the order of additions, takes, returns and ends: each file is taken again or ends once, and the job ends with the last.
    [Test]
    public void No_file_is_lost_and_the_job_ends_once_with_the_last_one() =>
        Prop.ForAll(Gen.Choose(0, 5).ArrayOf(200).ToArbitrary(), steps =>
        {
            var test = new JobLineTests();
            var (added, ended, held) = (0, 0, new Queue<JobFile>());
            foreach (var step in steps)
            {
                if (step <= 1)
                {
                    Assert.That(test._line.TryAdd(File($"{added++}")));
                }
                else if (step == 2)
                {
                    foreach (var file in test.Take(2)) held.Enqueue(file);
                }
                else if (step == 3)
                {
                    foreach (var file in test._line.TakeAll(butSegments: false))
                    {
                        test._line.Dropped();
                        ended++;
                        Assert.That(held, Does.Not.Contain(file));
                    }
                }
                else if (held.TryDequeue(out var file))
                {
                    test._standing.SettlingLocked++;
                    if (step == 4) Assert.That(test._line.TryPutBack(file));
                    else ended++;
                    test._line.Settled(hasEnded: step == 5);
                }
                Assert.That((test._standing.UnsettledLocked, test._place.Unsettled, test._files.CountLocked, test._standing.SettlingLocked),
                    Is.EqualTo((added - ended, added - ended, added - ended - held.Count, 0)));
                Assert.That(test._standing.Completion.IsCompleted, Is.False, "more may come");
            }
            test._line.Complete();
            Assert.That(test._standing.Completion.IsCompleted, Is.EqualTo(added == ended));
            foreach (var _ in test._line.TakeAll(butSegments: false)) test._line.Dropped();
            while (held.TryDequeue(out _))
            {
                Assert.That(test._place.Removals, Is.Zero);
                test._standing.SettlingLocked++;
                test._line.Settled(hasEnded: true);
            }
            Assert.That((test._standing.Completion.IsCompleted, test._place.Removals, test._place.Unsettled), Is.EqualTo((true, 1, 0)));
        }).QuickCheckThrowOnFailure();

    private JobFile[] Take(int most) => _files.TakeLocked(most, sessions: 1, alone: true);

    private static JobFile File(string name) =>
        new(new FileSpec { Name = name, Kind = WorkKind.Upload, RemotePath = "/" + name }, new FixedContent(1));

    private sealed class Place : ILinePlace
    {
        private readonly List<string> _calls = [];

        public Lock Gate { get; } = new();

        public int Unsettled { get; private set; }

        public int Removals { get; private set; }

        public string Calls => string.Join(' ', _calls);

        public void LinedLocked() => _calls.Add("lined");

        public void SignalMoreLocked(int files) => _calls.Add($"more:{files}");

        public void StartWorkersLocked() => _calls.Add("start");

        public void DismissWaitingLocked() => _calls.Add("dismiss");

        public void UnsettledLocked(int change) => Unsettled += change;

        public void RemoveLocked() => Removals++;
    }
}
