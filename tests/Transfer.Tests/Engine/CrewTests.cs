using Transfer.Engine.Scheduling;

namespace Transfer.Tests.Engine;

/// <summary>The workers of a client, without sessions or tasks.</summary>
public sealed class CrewTests
{
    private Crew _crew = null!;

    [SetUp]
    public void SetUp() => _crew = new Crew(4);

    [Test]
    public void Each_worker_is_in_one_state_and_is_counted_there()
    {
        var (one, other) = (_crew.Begin(), _crew.Begin());
        Assert.That(Counts(), Is.EqualTo((2, 2, 0, 0, 0)));
        _crew.Move(one, WorkerState.Working);
        _crew.Move(other, WorkerState.Working);
        _crew.Move(one, WorkerState.Yielding);
        _crew.Move(other, WorkerState.Surplus);
        Assert.That(Counts(), Is.EqualTo((2, 0, 0, 1, 1)));
        Assert.That((one.IsDismissed, other.IsDismissed), Is.EqualTo((true, true)));
        _crew.Move(one, WorkerState.Waiting);
        Assert.That((one.IsDismissed, Counts()), Is.EqualTo((false, (2, 1, 0, 0, 1))));
        _crew.End(one);
        Assert.That(Counts(), Is.EqualTo((1, 0, 0, 0, 1)));
    }

    [Test]
    public void Each_refusal_lowers_the_cap_by_one_until_there_is_no_worker_left()
    {
        var workers = new[] { _crew.Begin(), _crew.Begin(), _crew.Begin() };
        Assert.That((_crew.Fail(allowed: 4), _crew.Cap), Is.EqualTo((false, 3)));
        Assert.That((_crew.Fail(allowed: 2), _crew.Cap), Is.EqualTo((false, 2)),
            "fewer than those that are alive are no reason to go lower");
        _crew.End(workers[0]);
        _crew.End(workers[1]);
        Assert.That((_crew.Fail(allowed: 1), _crew.Cap), Is.EqualTo((true, 1)), "one may always try");
        _crew.End(workers[2]);
        Assert.That(_crew.Cap, Is.EqualTo(4), "what was refused to these may be given to the next ones");
    }

    private (int, int, int, int, int) Counts() =>
        (_crew.Alive, _crew.Count(WorkerState.Waiting), _crew.Count(WorkerState.Working), _crew.Count(WorkerState.Yielding),
        _crew.Count(WorkerState.Surplus));
}
