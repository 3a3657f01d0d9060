namespace Transfer.Tests.Replay;

/// <summary>
/// Probabilistic concurrency testing (Burckhardt and others, ASPLOS 2010): each chain has a random priority, the highest runs, and at a
/// few random moments the running chain falls behind all others. Finds races that need one chain to stand still for long, which a uniform
/// choice hardly ever gives.
/// </summary>
internal sealed class PriorityOrder : IWorkOrder
{
    // A chain that runs on and on may be waiting for another one by yielding.
    private const int MostInARow = 500;

    private readonly Random _random;
    private readonly HashSet<int> _changes = [];
    private readonly Dictionary<int, double> _priorities = [];
    private double _lowest;
    private int _steps;
    private int _last;
    private int _inARow;

    /// <param name="random">Draws priorities and moments.</param>
    /// <param name="changes">How often the running chain falls behind.</param>
    /// <param name="within">Those moments are within so many steps.</param>
    public PriorityOrder(Random random, int changes, int within)
    {
        _random = random;
        while (_changes.Count < changes) _changes.Add(random.Next(within));
    }

    public int Choose(IReadOnlyList<ReadyWork> ready)
    {
        var first = 0;
        for (var i = 0; i < ready.Count; i++)
        {
            if (PriorityOf(ready[i].Chain) > PriorityOf(ready[first].Chain)) first = i;
        }
        var chain = ready[first].Chain;
        _inARow = chain == _last ? _inARow + 1 : 0;
        _last = chain;
        if (!_changes.Contains(_steps++) && _inARow < MostInARow) return first;
        _priorities[chain] = --_lowest;
        _inARow = 0;
        return ready.Count == 1 ? 0 : Choose(ready);
    }

    private double PriorityOf(int chain)
    {
        if (_priorities.TryGetValue(chain, out var priority)) return priority;
        return _priorities[chain] = _random.NextDouble();
    }
}
