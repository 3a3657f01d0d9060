namespace Transfer.Engine.Scheduling;

/// <summary>A client's workers, each of which is in one state, and how many there may be. Called under the scheduler's lock.</summary>
internal sealed class Crew
{
    private readonly int[] _counts = new int[Enum.GetValues<WorkerState>().Length];
    private readonly int _most;

    /// <param name="most">Never more.</param>
    public Crew(int most) => _most = Cap = most;

    /// <summary>All of them.</summary>
    public int Alive { get; private set; }

    /// <summary>Never more than these: one fewer for each that no session could be opened for, as long as others have one.</summary>
    public int Cap { get; private set; }

    /// <summary>Those that are in a state.</summary>
    public int Count(WorkerState state) => _counts[(int)state];

    /// <summary>A worker begins, without a session.</summary>
    public Worker Begin()
    {
        Alive++;
        _counts[(int)WorkerState.Coming]++;
        return new Worker();
    }

    /// <summary>A worker gets into a state.</summary>
    public void Move(Worker worker, WorkerState state)
    {
        _counts[(int)worker.State]--;
        _counts[(int)state]++;
        worker.State = state;
    }

    /// <summary>No session could be opened for a worker. True: there is no other worker.</summary>
    /// <param name="allowed">So many sessions are allowed at the moment.</param>
    public bool Fail(int allowed)
    {
        Cap = Math.Max(1, Math.Min(Cap, Math.Max(allowed, Alive)) - 1);
        return Alive == 1;
    }

    /// <summary>A worker ends.</summary>
    public void End(Worker worker)
    {
        _counts[(int)worker.State]--;
        // What was refused to these may be given to the next ones.
        if (--Alive == 0) Cap = _most;
    }
}
