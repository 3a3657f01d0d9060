namespace Transfer.Batch.Carriers.Link;

/// <summary>The lanes of a job, and their archives under way, for <see cref="TransferJob.Sessions"/>. Thread-safe.</summary>
internal sealed class LaneBoard
{
    private readonly Lock _gate = new();
    private readonly List<LaneWork> _lanes = [];
    private int _last;

    /// <summary>Adds a lane, until the work is disposed of.</summary>
    public LaneWork Add()
    {
        lock (_gate)
        {
            var lane = new LaneWork(this, ++_last);
            _lanes.Add(lane);
            return lane;
        }
    }

    /// <summary>The lanes that carry an archive now.</summary>
    public IReadOnlyList<TransferLane> Read()
    {
        LaneWork[] lanes;
        lock (_gate) lanes = [.. _lanes];
        return [.. lanes.Select(lane => lane.Describe()).OfType<TransferLane>()];
    }

    internal void Remove(LaneWork lane)
    {
        lock (_gate) _lanes.Remove(lane);
    }
}
