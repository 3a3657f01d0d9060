namespace Transfer.Wan.Model;

/// <summary>
/// Simulates workers that take parts from a queue, event by event: a part ends, a worker dies, its part is free again, the worker is back.
/// Between two events all running parts progress at the same rate: that of a worker, or an equal share of the servers'.
/// </summary>
/// <param name="site">The machines.</param>
/// <param name="method">The costs of a file.</param>
/// <param name="workers">The number of workers.</param>
/// <param name="deaths">Deaths of workers; null: none dies.</param>
internal sealed class FleetSimulation(ModelSite site, ModelMethod method, int workers, ModelDeaths? deaths = null)
{
    private readonly List<RunningPart> _running = [];
    private readonly PriorityQueue<int, double> _away = new();
    private double _now;
    private double _sent;
    private double _confirmed;
    private int _idle;
    private int _died;

    /// <summary>Runs all parts to their end.</summary>
    /// <param name="sizes">The files of each part.</param>
    /// <param name="random">Decides when workers die.</param>
    public ModelOutcome Run(IEnumerable<double> sizes, Random random)
    {
        var parts = new PartQueue(sizes);
        (_now, _sent, _confirmed, _idle, _died) = (0, 0, 0, workers, 0);
        while (true)
        {
            while (_idle > 0 && parts.TryTake(_now, out var part))
            {
                _running.Add(new(part, deaths?.ConfirmShare ?? 0));
                _idle--;
            }
            if (_running.Count == 0 && double.IsPositiveInfinity(parts.NextAt)) return new(_now, _sent, _confirmed, _died);
            Step(parts, random);
        }
    }

    private void Step(PartQueue parts, Random random)
    {
        var rate = _running.Count == 0 ? 0 : Math.Min(site.WorkerLimit(method).Files, site.ServerLimit(method).Files / _running.Count);
        var end = _running.Count == 0 ? double.PositiveInfinity : _running.Min(part => part.Rest) / rate;
        // Without memory: the time to the next death of any of them may be drawn anew at each event.
        var death = deaths is null || _running.Count == 0 ? double.PositiveInfinity
            : -Math.Log(1 - random.NextDouble()) * deaths.MeanSeconds / _running.Count;
        var back = _away.TryPeek(out _, out var at) ? at - _now : double.PositiveInfinity;
        var next = Math.Min(Math.Min(end, death), Math.Min(back, _idle > 0 ? parts.NextAt - _now : double.PositiveInfinity));
        _now += next;
        foreach (var part in _running) _sent += part.Work(rate * next);
        if (next == death) Die(parts, random);
        else if (next == back) _idle += _away.Dequeue();
        else if (next == end) End();
    }

    private void End()
    {
        var ended = _running.MinBy(part => part.Rest)!;
        _sent += ended.Work(ended.Rest);
        _confirmed += ended.Confirmed;
        _running.Remove(ended);
        _idle++;
    }

    private void Die(PartQueue parts, Random random)
    {
        var dead = _running[random.Next(_running.Count)];
        _confirmed += dead.Confirmed;
        _running.Remove(dead);
        parts.Hold(dead.Remains, _now + deaths!.NoticedAfter);
        _away.Enqueue(1, _now + deaths.BackAfter);
        _died++;
    }
}
