using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Engine.Files;
using Transfer.Engine.Scheduling;
using Transfer.Sessions;
using Transfer.Tests.Sessions;

namespace Transfer.Tests.Engine;

/// <summary>The loop of a client's workers, between a pool whose openings the test ends and an owner that the test plays.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class WorkerLoopTests : IAsyncDisposable
{
    private readonly PoolHarness _test = new();
    private readonly Crew _crew = new(8);
    private readonly Owner _owner;
    private readonly WorkerLoop _loop;
    private readonly CancellationTokenSource _closing = new();
    private readonly ClientEngine _engine = new(new Uri("memory://host/"), new(), () => 1,
        (_, _) => new(new MemorySession(new MemoryStore())), _ => false);

    public WorkerLoopTests()
    {
        _owner = new Owner(_crew, (worker, session) =>
            new WorkerSource(_engine.Scheduler, worker, session, _test.Clock, _closing.Token));
        _loop = new WorkerLoop(_owner, _crew, _test.Pool, new LaneBoard(), NullLogger.Instance, _closing.Token);
    }

    public async ValueTask DisposeAsync()
    {
        _loop.Dispose();
        await _engine.DisposeAsync();
        _closing.Dispose();
    }

    [Test]
    public async Task As_many_workers_begin_as_may_and_each_asks_for_a_session()
    {
        Start(3);
        await _test.AttemptsAsync(3);
        lock (_owner.Gate)
            Assert.That((_crew.Alive, _crew.Count(WorkerState.Waiting), _loop.RunsLocked.Count), Is.EqualTo((3, 3, 0)));
        await EndAsync();
    }

    [Test]
    public async Task A_worker_gives_its_session_back_after_each_run_and_ends_when_there_is_no_more_work()
    {
        var session = new RunSession();
        Start(1);
        await _test.AttemptsAsync(1);
        _test.Succeed(0, session);
        await Eventually.TrueAsync(() => session.Runs == 1, "the run");
        lock (_owner.Gate)
        {
            Assert.That((_crew.Count(WorkerState.Working), _loop.RunsLocked.Count, _owner.Sessions), Is.EqualTo((1, 1, 1)));
            _owner.GoOn = false;
        }
        Assert.That(_test.Pool.Idle, Is.Zero);
        session.End();
        await EndedAsync();
        Assert.That(_test.Pool.Idle, Is.EqualTo(1), "kept for others");
        Assert.That(_loop.RunsLocked, Is.Empty);
    }

    [Test]
    public async Task Workers_without_a_session_are_dismissed_once_nothing_is_to_come()
    {
        Start(2);
        await _test.AttemptsAsync(2);
        lock (_owner.Gate) _loop.DismissWaitingLocked();
        await Eventually.TrueAsync(() => _test.Pool.WaitingCount == 2, "they still wait");
        lock (_owner.Gate)
        {
            (_owner.HasNothingToComeLocked, _owner.GoOn) = (true, false);
            _loop.DismissWaitingLocked();
        }
        await EndedAsync();
        Assert.That(_test.Pool.WaitingCount, Is.Zero);
        Assert.That(_owner.Errors, Is.Empty);
    }

    [Test]
    public async Task A_worker_for_which_no_session_opens_ends_with_the_reason()
    {
        Start(1);
        await _test.AttemptsAsync(1);
        _test.Fail(0, new TransferException(TransferError.Auth, "530 no"));
        await EndedAsync();
        Assert.That(_owner.Errors.Select(error => error.Error), Is.EqualTo(new[] { TransferError.Auth }));
    }

    [Test]
    public async Task Sessions_that_end_before_they_ask_for_files_are_not_opened_for_ever()
    {
        Start(1);
        await _test.AttemptsAsync(1);
        var session = new RunSession();
        session.End();
        _test.Succeed(0, session);
        await EndedAsync();
        Assert.That((session.Runs, _owner.Errors.Single().Error), Is.EqualTo((5, TransferError.Lost)));
    }

    [Test]
    public async Task A_session_that_fails_beyond_its_contract_costs_its_run_and_not_the_worker()
    {
        var session = new RunSession { Fault = new InvalidOperationException("scripted") };
        Start(1);
        await _test.AttemptsAsync(1);
        _test.Succeed(0, session);
        await Eventually.TrueAsync(() => session.Runs == 1, "the run");
        lock (_owner.Gate) _owner.GoOn = false;
        session.End();
        await EndedAsync();
        Assert.That((session.Runs, _owner.Errors.Count), Is.EqualTo((1, 0)));
    }

    [Test]
    public async Task A_client_that_closes_ends_the_wait_for_a_session()
    {
        Start(1);
        await _test.AttemptsAsync(1);
        _owner.GoOn = false;
        await _closing.CancelAsync();
        await EndedAsync();
        Assert.That(_owner.Errors, Is.Empty);
    }

    private void Start(int workers)
    {
        lock (_owner.Gate)
        {
            _owner.Wanted = workers;
            _loop.StartLocked();
        }
    }

    private async Task EndAsync()
    {
        _owner.GoOn = false;
        await _closing.CancelAsync();
        await EndedAsync();
    }

    private Task EndedAsync() => Eventually.TrueAsync(() =>
    {
        lock (_owner.Gate) return _crew.Alive == 0 && _owner.Ended > 0;
    }, "all workers have ended");

    private sealed class Owner(Crew crew, Func<Worker, TransferSession, WorkerSource> begin) : IWorkerOwner
    {
        public Lock Gate { get; } = new();

        public int Wanted { get; set; }

        public bool GoOn { get; set; } = true;

        public int Sessions { get; private set; }

        public int Ended { get; private set; }

        public List<TransferException> Errors { get; } = [];

        public bool MayStartLocked => crew.Alive < Wanted;

        public bool MayGoOnLocked => GoOn;

        public bool HasNothingToComeLocked { get; set; }

        public WorkerSource Begin(Worker worker, TransferSession session) => begin(worker, session);

        public void HasSessionLocked() => Sessions++;

        public Dispatcher[] FailedLocked(TransferException error)
        {
            Errors.Add(error);
            return [];
        }

        public void EndedLocked() => Ended++;
    }
}
