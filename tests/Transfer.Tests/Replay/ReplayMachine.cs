namespace Transfer.Tests.Replay;

/// <summary>
/// Runs a process' life on one thread: the work that is ready in the order that the seed gives, and the clock on when nothing is ready,
/// or now and then before: as on a machine that is so busy that timers fire while work waits.
/// </summary>
internal sealed class ReplayMachine(ControlledPool pool, VirtualTime time)
{
    private const int MostSteps = 400_000;
    private const int Circle = 1000;

    private static readonly TimeSpan Step = TimeSpan.FromMicroseconds(1);
    private static readonly TimeSpan Longest = TimeSpan.FromHours(12);
    private static readonly TimeSpan Afterwards = TimeSpan.FromMinutes(10);

    private readonly List<ReadyWork> _ready = [];
    private int _chains;

    /// <summary>Pieces of work that have run.</summary>
    public int Steps { get; private set; }

    /// <summary>Runs a life to its end. False: it was killed.</summary>
    /// <param name="life">What the process does.</param>
    /// <param name="order">Which work is next.</param>
    /// <param name="isEarly">Whether the clock goes on although work waits.</param>
    /// <param name="killedAfter">So many steps; null: it is not killed.</param>
    /// <exception cref="ReplayException">It does not end, or leaves something behind.</exception>
    public bool Run(Func<Task> life, IWorkOrder order, Func<bool> isEarly, int? killedAfter = null)
    {
        Steps = 0;
        TimeSpan? ended = null;
        Task? whole = null;
        var circle = new HashSet<string>();
        pool.Execute(new Beginning(() => whole = life()));
        for (var chain = _chains = 0; ;)
        {
            Collect(chain);
            if (whole!.IsCompleted) ended ??= time.Now;
            if (ended is not null && _ready.Count == 0 && time.Set == 0) break;
            if (Steps == killedAfter)
            {
                Kill();
                return false;
            }
            if (_ready.Count == 0 || isEarly() && time.Set > 0)
            {
                if (time.Next() is not { } due) throw new ReplayException("Nothing is ready and no timer is set: a wake-up was lost.");
                if (ended is { } end && time.Now > end + Afterwards) throw new ReplayException("A timer goes on after all was disposed.");
                if (time.Now > Longest) throw new ReplayException("It does not come to an end.");
                _ready.Add(new(due, ++_chains));
            }
            var next = order.Choose(_ready);
            (var work, chain) = _ready[next];
            _ready.RemoveAt(next);
            if (++Steps > MostSteps) throw new ReplayException($"It goes round in circles: {string.Join(", ", circle)}.");
            if (Steps > MostSteps - Circle) circle.Add(Describe(work));
            time.Pass(Step);
            pool.Execute(work);
        }
        whole.GetAwaiter().GetResult();
        return true;
    }

    /// <summary>Nothing that was begun goes on.</summary>
    public void Kill()
    {
        while (pool.Next() is not null)
        {
        }
        _ready.Clear();
        time.Forget();
    }

    private void Collect(int chain)
    {
        for (var first = true; pool.Next() is { } work; first = false) _ready.Add(new(work, first ? chain : ++_chains));
    }

    // A state machine's type has the name of its method.
    private static string Describe(object work) => work.ToString()!;

    private sealed class Beginning(Action begin) : IThreadPoolWorkItem
    {
        public void Execute() => begin();
    }
}
