using Transfer.Batch.Sealing;

namespace Transfer.Batch.Carriers.Spool.Fetching;

/// <summary>Jobs in the spool that a fetcher need not look at, for now or at all: they are for others, done, or were no good when it looked. Thread-safe.</summary>
internal sealed class SettledJobs
{
    // More are not remembered: who fills a spool with nonsense makes us look at it again, that is all.
    private const int Most = 20_000;

    private readonly Lock _gate = new();
    private readonly TimeProvider _time;
    private readonly Dictionary<JobId, long> _until = [];

    public SettledJobs(TimeProvider time) => _time = time;

    public void Settle(JobId job) => Remember(job, long.MaxValue);

    /// <summary>It is looked at again after a while.</summary>
    public void PutAside(JobId job, TimeSpan wait) => Remember(job, _time.GetTimestamp() + (long)(wait.TotalSeconds * _time.TimestampFrequency));

    public bool IsSettled(JobId job)
    {
        lock (_gate) return _until.TryGetValue(job, out var until) && _time.GetTimestamp() < until;
    }

    private void Remember(JobId job, long until)
    {
        lock (_gate)
        {
            if (_until.Count >= Most) _until.Clear();
            _until[job] = until;
        }
    }
}
