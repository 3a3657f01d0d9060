using Transfer.Engine.Files;
using Transfer.Engine.Scheduling;

namespace Transfer.Tests.Engine;

/// <summary>How a job stands, without sessions or tasks.</summary>
public sealed class JobStandingTests
{
    private readonly TransferException _error = new(TransferError.Auth, "no");
    private JobStanding _standing = null!;

    [SetUp]
    public void SetUp() => _standing = new JobStanding(new Lock());

    [Test]
    public void A_job_ends_once_when_nothing_more_comes_and_each_file_has_ended()
    {
        _standing.CountLocked(2);
        _standing.NoMoreLocked = true;
        Assert.That((_standing.UnsettledLocked, _standing.TryEndLocked()), Is.EqualTo((2, false)));
        _standing.CountLocked(-2);
        Assert.That(_standing.Completion.IsCompleted, Is.False);
        Assert.That((_standing.TryEndLocked(), _standing.TryEndLocked(), _standing.Completion.IsCompleted),
            Is.EqualTo((true, false, true)));
    }

    [Test]
    public void A_job_that_may_get_more_files_does_not_end() => Assert.That(_standing.TryEndLocked(), Is.False);

    [Test]
    public async Task A_job_does_not_end_while_a_session_that_had_its_files_is_not_given_back()
    {
        await using var engine = new ClientEngine(new Uri("memory://host/"), new(), () => 1,
            (_, _) => new(new MemorySession(new MemoryStore())), _ => false);
        using var run = new WorkerSource(engine.Scheduler, new Worker(), new MemorySession(new MemoryStore()), TimeProvider.System,
            default);
        _standing.NoMoreLocked = true;
        _standing.ServedLocked(run);
        Assert.That((_standing.TryEndLocked(), _standing.HasRun, _standing.RunsLocked.Count), Is.EqualTo((false, true, 1)));
        _standing.PartedLocked(run);
        Assert.That(_standing.TryEndLocked());
    }

    [Test]
    public void The_first_reason_for_which_there_can_be_no_session_counts_and_fails_a_job_that_never_had_one([Values] bool hadOne)
    {
        Assert.That((_standing.NoSessionError, _standing.NeverSessionError, _standing.HasRun),
            Is.EqualTo(((TransferException?)null, (TransferException?)null, false)));
        if (hadOne) _standing.MayHaveSessionLocked();
        _standing.SetNoSessionLocked(_error);
        _standing.SetNoSessionLocked(new TransferException(TransferError.Lost, "later"));
        Assert.That((_standing.NoSessionError, _standing.NeverSessionError), Is.EqualTo((_error, hadOne ? null : _error)));
    }

    [Test]
    public void The_most_sessions_at_once_are_remembered()
    {
        foreach (var change in (int[])[1, 1, -1, 1, -1, -1]) _standing.ChangeBusyLocked(change);
        Assert.That((_standing.BusyLocked, _standing.PeakSessions), Is.EqualTo((0, 2)));
    }

    [Test]
    public void As_many_files_are_expected_as_were_told_of_until_it_is_known_that_no_more_come()
    {
        _standing.ExpectLocked(7, bytes: 70);
        _standing.ExpectLocked(3, bytes: 90);
        Assert.That((_standing.ExpectedLocked(waiting: 2), _standing.ExpectedLocked(waiting: 9)), Is.EqualTo((7, 9)));
        Assert.That((_standing.ExpectedBytesLocked(waiting: 20), _standing.ExpectedBytesLocked(waiting: 99)), Is.EqualTo((90L, 99L)));
        _standing.NoMoreLocked = true;
        Assert.That((_standing.ExpectedLocked(waiting: 2), _standing.ExpectedBytesLocked(waiting: 20)), Is.EqualTo((2, 20L)));
    }
}
