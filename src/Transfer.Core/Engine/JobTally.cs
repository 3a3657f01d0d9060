namespace Transfer.Engine;

/// <summary>What became of a job's items. Thread-safe.</summary>
internal sealed class JobTally
{
    private readonly Lock _gate = new();
    private readonly List<ItemResult> _failures = [];
    private readonly Dictionary<string, KeptFile> _kept = new(StringComparer.Ordinal); // by where they are
    private long _files;
    private long _bytes;
    private long _skipped;
    private long _unchanged;
    private long _moved;
    private long _deleted;
    private long _held;
    private long _readBack;
    private long _failed;
    private FileCheck? _check;
    private int _retries;

    public void Done(ItemAction action, TransferResult result)
    {
        lock (_gate)
        {
            switch (action)
            {
                case ItemAction.Skip:
                    _skipped++;
                    break;
                case ItemAction.Keep:
                    _unchanged++;
                    break;
                case ItemAction.Move:
                    _moved++;
                    break;
                case ItemAction.Delete:
                    _deleted++;
                    break;
                default:
                    _files++;
                    _bytes += result.Bytes;
                    _check = FileCheck.Weaker(_check, FileCheck.Of(result));
                    break;
            }
        }
    }

    public long FailedCount
    {
        get { lock (_gate) return _failed; }
    }

    public void Held(long items) => Interlocked.Add(ref _held, items);

    public void ReadBack() => Interlocked.Increment(ref _readBack);

    public void Failed(ItemResult item)
    {
        lock (_gate)
        {
            _failed++;
            if (_failures.Count < JobResult.MaxFailures) _failures.Add(item);
        }
    }

    /// <summary>Content has not its name.</summary>
    public void Keep(KeptFile file)
    {
        lock (_gate)
        {
            if (_kept.Count < JobResult.MaxFailures) _kept[file.KeptAs] = file;
        }
    }

    /// <summary>What was kept under a name is not there any more.</summary>
    public void Unkeep(string keptAs)
    {
        lock (_gate) _kept.Remove(keptAs);
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
                Unchanged = _unchanged,
                Moved = _moved,
                Deleted = _deleted,
                NotDeleted = Interlocked.Read(ref _held),
                ReadBack = Interlocked.Read(ref _readBack),
                Verified = _check?.Verified,
                HashAlgorithm = _check?.HashAlgorithm,
                HashSource = _check?.HashSource,
                Failed = _failed,
                Failures = [.. _failures],
                Kept = [.. _kept.Values.OrderBy(file => file.KeptAs, StringComparer.Ordinal)],
                Retries = Volatile.Read(ref _retries),
                Elapsed = elapsed,
                Sessions = sessions,
            };
        }
    }
}
