namespace Transfer.Engine;

/// <summary>The jobs of a client that have files in line, served in turn. Called under the scheduler's lock.</summary>
internal sealed class JobRing
{
    private readonly LinkedList<Dispatcher> _jobs = new();
    private readonly Dictionary<Dispatcher, LinkedListNode<Dispatcher>> _places = [];

    public int Count => _jobs.Count;

    public bool Any => _jobs.Count > 0;

    /// <summary>All of them, the next one first.</summary>
    public IEnumerable<Dispatcher> Jobs => _jobs;

    /// <summary>A job takes its place behind all others, unless it has one.</summary>
    public void Add(Dispatcher job)
    {
        if (!_places.ContainsKey(job)) _places[job] = _jobs.AddLast(job);
    }

    public void Remove(Dispatcher job)
    {
        if (_places.Remove(job, out var place)) _jobs.Remove(place);
    }

    /// <summary>The job whose turn it is, which is the last then; null: there is none.</summary>
    public Dispatcher? Next()
    {
        if (_jobs.First is not { } place) return null;
        _jobs.RemoveFirst();
        _jobs.AddLast(place);
        return place.Value;
    }
}
