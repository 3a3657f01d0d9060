using Transfer.Engine.Scheduling;
using Transfer.Sessions;

namespace Transfer.Tests.Engine;

[TestFixture]
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class JobBoardTests
{
    private readonly JobBoard<Job> _board = new();

    [Test]
    public void Jobs_with_files_in_line_have_their_turns_one_after_the_other()
    {
        var (one, two, none) = (Add(new() { WaitingLocked = 5 }), Add(new() { WaitingLocked = 1 }), Add(new()));
        Assert.That(Turns(4), Is.EqualTo(new[] { one, two, one, two }));
        none.WaitingLocked = 1;
        _board.Lined(none);
        Assert.That(Turns(3), Is.EqualTo(new[] { one, two, none }));
    }

    [Test]
    public void More_files_are_no_second_turn()
    {
        var (one, two) = (Add(new() { WaitingLocked = 1 }), Add(new() { WaitingLocked = 1 }));
        one.WaitingLocked = 1000;
        _board.Lined(one);
        Assert.That(Turns(4), Is.EqualTo(new[] { one, two, one, two }));
    }

    [Test]
    public void A_job_has_no_turn_while_it_is_paused_or_has_nothing_in_line()
    {
        var (one, two) = (Add(new() { WaitingLocked = 5 }), Add(new() { WaitingLocked = 5 }));
        one.IsPausedLocked = true;
        _board.Lined(one);
        Assert.That(Turns(2), Is.EqualTo(new[] { two, two }));
        one.IsPausedLocked = false;
        _board.Lined(one);
        two.WaitingLocked = 0;
        _board.Lined(two);
        Assert.That(Turns(2), Is.EqualTo(new[] { one, one }));
        one.WaitingLocked = 0;
        _board.Lined(one);
        Assert.That((_board.Ring.Next(), _board.Ring.Any), Is.EqualTo((default(Job), false)));
    }

    [Test]
    public void A_job_that_goes_takes_all_that_it_was_counted_for()
    {
        var job = Add(new()
        {
            WaitingLocked = 5,
            OwnSessions = 3,
            Contents = JobContents.FeedsSessions,
            MayGetMoreLocked = true,
            UnsettledLocked = 5
        });
        _board.Divides(job, divides: true);
        Assert.That((_board.OwnSessions, _board.AnySharing, _board.AnyFeeding, _board.MayGetMore, _board.IsEmpty),
            Is.EqualTo((3, false, true, true, false)));
        _board.Add(job);
        Assert.That(_board.OwnSessions, Is.EqualTo(3), "It is there once.");
        _board.Remove(job);
        _board.Remove(job);
        Assert.That((_board.OwnSessions, _board.AnySharing, _board.AnyFeeding, _board.MayGetMore, _board.IsEmpty),
            Is.EqualTo((0, false, false, false, true)));
        Assert.That((_board.Ring.Count, _board.Dividing.Count, _board.Unsettled.Count()), Is.EqualTo((0, 0, 0)));
    }

    [Test]
    public void Jobs_that_ask_for_sessions_of_their_own_are_added_up_and_the_others_share()
    {
        var sharing = Add(new());
        Add(new() { OwnSessions = 2 });
        Add(new() { OwnSessions = 3 });
        Assert.That((_board.OwnSessions, _board.AnySharing), Is.EqualTo((5, true)));
        _board.Remove(sharing);
        Assert.That((_board.OwnSessions, _board.AnySharing), Is.EqualTo((5, false)));
    }

    [Test]
    public void A_large_file_asks_for_as_many_sessions_as_the_job_with_most_of_them_may_have()
    {
        var (one, two, own) = (Add(new() { MostLocked = 4 }), Add(new() { MostLocked = 8 }),
            Add(new() { MostLocked = 16, OwnSessions = 16 }));
        foreach (var job in new[] { one, two, own }) _board.Divides(job, divides: true);
        Assert.That(_board.MostForSegments, Is.EqualTo(8), "A number that one job asks for is its own.");
        _board.Divides(two, divides: false);
        Assert.That(_board.MostForSegments, Is.EqualTo(4));
    }

    [Test]
    public void Another_worker_is_wanted_while_more_is_to_do_than_there_are()
    {
        Add(new() { WaitingLocked = 9, WantedLocked = 2 });
        var dividing = Add(new() { WantedLocked = 3 });
        Assert.That((_board.IsWanted(1), _board.IsWanted(2)), Is.EqualTo((true, false)));
        _board.Divides(dividing, divides: true);
        Assert.That((_board.IsWanted(4), _board.IsWanted(5)), Is.EqualTo((true, false)));
        dividing.WaitingLocked = 1;
        _board.Lined(dividing);
        Assert.That((_board.IsWanted(4), _board.IsWanted(5)), Is.EqualTo((true, false)), "A job is counted once.");
    }

    [Test]
    public void More_files_wait_than_a_number_where_all_jobs_together_have_more()
    {
        Add(new() { WaitingLocked = 2 });
        Add(new() { WaitingLocked = 3 });
        Assert.That((_board.IsMoreThan(4.5), _board.IsMoreThan(5)), Is.EqualTo((true, false)));
    }

    [Test]
    public void Sessions_get_ready_for_one_direction_only_where_all_goes_that_way()
    {
        Add(new() { ExpectedLocked = 3, Direction = WorkKind.Upload });
        Add(new() { ExpectedLocked = 0, Direction = WorkKind.Download });
        Assert.That(_board.Expected(8), Is.EqualTo((3, (WorkKind?)WorkKind.Upload)));
        Add(new() { ExpectedLocked = 2, Direction = WorkKind.Download });
        Assert.That(_board.Expected(8), Is.EqualTo((5, (WorkKind?)null)));
        Assert.That(_board.Expected(4).Sessions, Is.EqualTo(4));
    }

    private Job Add(Job job)
    {
        _board.Add(job);
        _board.Lined(job);
        return job;
    }

    private Job?[] Turns(int count) => [.. Enumerable.Range(0, count).Select(_ => _board.Ring.Next())];

    private sealed class Job : IScheduledJob
    {
        public int? OwnSessions { get; set; }

        public JobContents Contents { get; set; }

        public WorkKind? Direction { get; set; }

        public bool IsPausedLocked { get; set; }

        public bool MayGetMoreLocked { get; set; }

        public int WaitingLocked { get; set; }

        public int UnsettledLocked { get; set; }

        public int ExpectedLocked { get; set; }

        public long ExpectedBytesLocked { get; set; }

        public int WantedLocked { get; set; }

        public int MostLocked { get; set; }
    }
}
