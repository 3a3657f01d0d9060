namespace Transfer.Engine.Scheduling;

/// <summary>The jobs of a client that have files in line, served in turn. Called under the scheduler's lock.</summary>
internal sealed class JobRing<TJob>
    where TJob : class
{
    private readonly LinkedList<TJob> _jobs = new();
    private readonly Dictionary<TJob, LinkedListNode<TJob>> _places = [];

    public int Count => _jobs.Count;

    public bool Any => _jobs.Count > 0;

    /// <summary>All jobs of the ring, the next one first.</summary>
    public IEnumerable<TJob> Jobs => _jobs;

    /// <summary>Puts a job at the end of the ring, unless already there.</summary>
    public void Add(TJob job)
    {
        if (!_places.ContainsKey(job)) _places[job] = _jobs.AddLast(job);
    }

    public void Remove(TJob job)
    {
        if (_places.Remove(job, out var place)) _jobs.Remove(place);
    }

    /// <summary>Returns the first job, which becomes the last; null: the ring is empty.</summary>
    public TJob? Next()
    {
        if (_jobs.First is not { } place) return null;
        _jobs.RemoveFirst();
        _jobs.AddLast(place);
        return place.Value;
    }
}
