using Transfer.Engine.Files;

namespace Transfer.Engine.Scheduling;

/// <summary>The sessions of a client that move files now, each with a number of its own for that time.</summary>
internal sealed class LaneBoard
{
    private readonly Lock _gate = new();
    private readonly List<WorkerSource?> _runs = [];

    public void Add(WorkerSource run)
    {
        lock (_gate)
        {
            var free = _runs.IndexOf(null);
            if (free < 0) _runs.Add(run);
            else _runs[free] = run;
        }
    }

    public void Remove(WorkerSource run)
    {
        lock (_gate) _runs[_runs.IndexOf(run)] = null;
    }

    /// <summary>Returns the sessions that have moved bytes of a file of the job that is still open.</summary>
    public IReadOnlyList<TransferLane> Read(Dispatcher job)
    {
        var lanes = new List<TransferLane>();
        lock (_gate)
        {
            for (var i = 0; i < _runs.Count; i++)
            {
                if (_runs[i]?.Describe(job) is { } lane) lanes.Add(lane with { Number = i + 1 });
            }
        }
        return lanes;
    }
}
