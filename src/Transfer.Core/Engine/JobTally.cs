namespace Transfer.Engine;

/// <summary>What became of a job's items. Thread-safe.</summary>
internal sealed class JobTally
{
    private readonly Lock _gate = new();
    private readonly List<ItemResult> _failures = [];
    private long _files;
    private long _bytes;
    private long _skipped;
    private long _failed;
    private int _retries;

    public void Done(TransferResult result)
    {
        lock (_gate)
        {
            if (result.Skipped)
            {
                _skipped++;
                return;
            }
            _files++;
            _bytes += result.Bytes;
        }
    }

    public void Failed(ItemResult item)
    {
        lock (_gate)
        {
            _failed++;
            if (_failures.Count < JobResult.MaxFailures) _failures.Add(item);
        }
    }

    public void Retried() => Interlocked.Increment(ref _retries);

    public JobResult ToResult(TimeSpan elapsed, int sessions)
    {
        lock (_gate)
        {
            return new JobResult
            {
                Files = _files,
                Bytes = _bytes,
                Skipped = _skipped,
                Failed = _failed,
                Failures = [.. _failures],
                Retries = Volatile.Read(ref _retries),
                Elapsed = elapsed,
                Sessions = sessions,
            };
        }
    }
}
