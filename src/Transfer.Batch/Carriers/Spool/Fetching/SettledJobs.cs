using Transfer.Batch.Sealing;

namespace Transfer.Batch.Carriers.Spool.Fetching;

/// <summary>The jobs in the spool that a fetcher can skip, for now or for good: for other recipients, done, or invalid at the last look.
/// Thread-safe.</summary>
internal sealed class SettledJobs
{
    // No more are recorded: a spool filled with invalid jobs only costs repeated looks.
    private const int Most = 20_000;

    private readonly Lock _gate = new();
    private readonly TimeProvider _time;
    private readonly Dictionary<JobId, long> _until = [];

    public SettledJobs(TimeProvider time) => _time = time;

    public void Settle(JobId job) => Remember(job, long.MaxValue);

    /// <summary>Skips a job for a while.</summary>
    public void PutAside(JobId job, TimeSpan wait) =>
        Remember(job, _time.GetTimestamp() + (long)(wait.TotalSeconds * _time.TimestampFrequency));

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
