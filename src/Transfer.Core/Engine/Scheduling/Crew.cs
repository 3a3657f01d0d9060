namespace Transfer.Engine.Scheduling;

/// <summary>A client's workers, each of which is in one state, and how many there may be. Called under the scheduler's lock.</summary>
internal sealed class Crew
{
    private readonly int[] _counts = new int[Enum.GetValues<WorkerState>().Length];
    private readonly int _most;

    /// <param name="most">The upper bound.</param>
    public Crew(int most) => _most = Cap = most;

    /// <summary>The number of all workers.</summary>
    public int Alive { get; private set; }

    /// <summary>
    /// The most workers: reduced by one for each worker for which no session could be opened, until the last worker ends.
    /// </summary>
    public int Cap { get; private set; }

    /// <summary>Returns the number of workers in a state.</summary>
    public int Count(WorkerState state) => _counts[(int)state];

    /// <summary>Adds a worker, without a session.</summary>
    public Worker Begin()
    {
        Alive++;
        _counts[(int)WorkerState.Waiting]++;
        return new Worker();
    }

    /// <summary>Moves a worker to a state.</summary>
    public void Move(Worker worker, WorkerState state)
    {
        _counts[(int)worker.State]--;
        _counts[(int)state]++;
        worker.State = state;
    }

    /// <summary>Lowers the cap after no session could be opened for a worker. True: there is no other worker.</summary>
    /// <param name="allowed">The number of sessions allowed at the moment.</param>
    public bool Fail(int allowed)
    {
        Cap = Math.Max(1, Math.Min(Cap, Math.Max(allowed, Alive)) - 1);
        return Alive == 1;
    }

    /// <summary>Removes a worker.</summary>
    public void End(Worker worker)
    {
        _counts[(int)worker.State]--;
        // Sessions refused to these workers may be granted to the next ones.
        if (--Alive == 0) Cap = _most;
    }
}
