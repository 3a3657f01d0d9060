using Transfer.Handles;

namespace Transfer.Companions;

/// <summary>Counts the results of a job's items. Thread-safe.</summary>
public sealed class JobTally
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
    private long _modesChanged;
    private long _held;
    private long _readBack;
    private long _failed;
    private FileCheck? _check;
    private int _retries;

    /// <summary>Counts an item that ended without an error.</summary>
    /// <param name="action">The action done with the item.</param>
    /// <param name="result">The bytes and the check of an item that was transferred; else empty.</param>
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
                case ItemAction.ChangeMode:
                    _modesChanged++;
                    break;
                default:
                    _files++;
                    _bytes = LengthSum.Add(_bytes, result.Bytes);
                    _check = FileCheck.Weaker(_check, FileCheck.Of(result));
                    break;
            }
        }
    }

    internal long FailedCount
    {
        get { lock (_gate) return _failed; }
    }

    internal void CountNotDeleted(long items) => Interlocked.Add(ref _held, items);

    internal void ReadBack() => Interlocked.Increment(ref _readBack);

    /// <summary>Counts an item that failed. The first <see cref="JobResult.MaxFailures"/> are in the result.</summary>
    public void Failed(ItemResult item)
    {
        lock (_gate)
        {
            _failed++;
            if (_failures.Count < JobResult.MaxFailures) _failures.Add(item);
        }
    }

    /// <summary>Adds a file whose content is kept under another name.</summary>
    internal void Keep(KeptFile file)
    {
        lock (_gate)
        {
            if (_kept.Count < JobResult.MaxFailures) _kept[file.KeptAs] = file;
        }
    }

    /// <summary>Removes a kept file that is not there any more.</summary>
    internal void RemoveKept(string keptAs)
    {
        lock (_gate) _kept.Remove(keptAs);
    }

    internal void Retried() => Interlocked.Increment(ref _retries);

    /// <summary>The result of a job of which two parts went one after the other; the time is that of the first part.</summary>
    public static JobResult Join(JobResult first, JobResult second)
    {
        ArgumentNullException.ThrowIfNull(first);
        ArgumentNullException.ThrowIfNull(second);
        var check = FileCheck.Weaker(FileCheck.Of(first), FileCheck.Of(second));
        return first with
        {
            Files = first.Files + second.Files,
            Bytes = LengthSum.Add(first.Bytes, second.Bytes),
            Skipped = first.Skipped + second.Skipped,
            Unchanged = first.Unchanged + second.Unchanged,
            Moved = first.Moved + second.Moved,
            Deleted = first.Deleted + second.Deleted,
            ModesChanged = first.ModesChanged + second.ModesChanged,
            NotDeleted = first.NotDeleted + second.NotDeleted,
            Lost = first.Lost + second.Lost,
            Verified = check?.Verified,
            HashAlgorithm = check?.HashAlgorithm,
            HashSource = check?.HashSource,
            Failed = first.Failed + second.Failed,
            Retries = first.Retries + second.Retries,
            ReadBack = first.ReadBack + second.ReadBack,
            Kept = [.. first.Kept.Concat(second.Kept).Take(JobResult.MaxFailures)],
            Sessions = Math.Max(first.Sessions, second.Sessions),
            Failures = [.. first.Failures.Concat(second.Failures).Take(JobResult.MaxFailures)],
        };
    }

    /// <summary>The result so far.</summary>
    /// <param name="elapsed">The time since the start of the job.</param>
    /// <param name="sessions">The number of sessions that moved the items.</param>
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
                ModesChanged = _modesChanged,
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
