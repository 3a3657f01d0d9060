using Transfer.Names;

namespace Transfer.Plans;

/// <summary>
/// Divides items among parts while they come: the next run of files of one folder goes to the part with the least to do. A run is a share
/// of what was divided so far at most, so that parts differ little, and folders are read by few parts.
/// </summary>
internal sealed class PlanBalance
{
    /// <summary>The bytes that move in the time that a file takes beside its content.</summary>
    internal const long FileCost = 64 << 10;

    private const int LongestRun = 1000;
    private const int RunsOfPart = 16;

    private readonly long[] _costs;
    private readonly PriorityQueue<int, (long Cost, int Part)> _least = new();
    private string _folder = string.Empty;
    private long _total;
    private int _open = -1;
    private int _runFiles;
    private long _runCost;

    /// <param name="parts">The number of parts.</param>
    public PlanBalance(int parts)
    {
        _costs = new long[parts];
        for (var part = 0; part < parts; part++) _least.Enqueue(part, (0, part));
    }

    /// <summary>Returns the part of an item.</summary>
    public int PartOf(PlannedItem item)
    {
        var cost = Math.Min(item.Length ?? 0, long.MaxValue / 4 - _total) + FileCost;
        if (item.Group is { } group) return Add((int)(ShardHash.Of(group) % (ulong)_costs.Length), cost);
        var slash = item.Path.LastIndexOf('/');
        var folder = item.Path.AsSpan(0, Math.Max(0, slash));
        if (_open < 0 || _runFiles >= LongestRun || !folder.SequenceEqual(_folder)
            || _runCost + cost > _total / (RunsOfPart * _costs.Length))
        {
            (_open, _folder, _runFiles, _runCost) = (Least(), folder.ToString(), 0, 0);
        }
        _runFiles++;
        _runCost += cost;
        return Add(_open, cost);
    }

    // Parts that have got more since they were put in line go back.
    private int Least()
    {
        while (true)
        {
            _least.TryPeek(out var part, out var known);
            if (known.Cost == _costs[part]) return part;
            _least.DequeueEnqueue(part, (_costs[part], part));
        }
    }

    private int Add(int part, long cost)
    {
        _costs[part] += cost;
        _total += cost;
        return part;
    }
}
