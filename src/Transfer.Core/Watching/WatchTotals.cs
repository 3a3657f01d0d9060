namespace Transfer.Watching;

/// <summary>
/// The sum of all rounds: of files that failed only those that were not sent later, of entries that are left out those of the last round.
/// Receives the items of the rounds, and passes them on: an entry that is left out again and again only once.
/// </summary>
internal sealed class WatchTotals(IProgress<ItemResult>? next, string? trigger) : IProgress<ItemResult>
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, ItemResult> _failures = new(StringComparer.Ordinal);

    // By their files: those of files that were sent, and those that the round has listed.
    private readonly Dictionary<string, TriggerSight> _triggers = new(StringComparer.Ordinal);
    private readonly Dictionary<string, TriggerSight> _seen = new(StringComparer.Ordinal);

    private HashSet<string> _skippedBefore = new(StringComparer.Ordinal);
    private HashSet<string> _skipped = new(StringComparer.Ordinal);
    private JobTally _round = new();
    private JobResult _sum = new();

    /// <summary>Takes an item as it ends.</summary>
    public void Report(ItemResult value)
    {
        lock (_gate)
        {
            if (value.Error is null)
            {
                _failures.Remove(value.Path);
                if (value.Result is not { Skipped: true }) _round.Done(value.Action, value.Result ?? new TransferResult());
                if (trigger is not null && value is { LosesSource: true } or { Action: ItemAction.Transfer, Result.Skipped: false })
                    _triggers[value.Path] = _seen.GetValueOrDefault(value.Path + trigger, new(null, null));
                if (value.Result is { Skipped: true } && IsKnownLocked(value.Path)) return;
            }
            else if (_failures.Count < JobResult.MaxFailures || _failures.ContainsKey(value.Path))
            {
                _failures[value.Path] = value;
            }

            // Without its trigger file, the source would not be looked at again.
            if (value.IsLeft && trigger is not null) _triggers.Remove(value.Path);
        }
        next?.Report(value);
    }

    // Beyond some number, entries are reported in each round.
    private bool IsKnownLocked(string path)
    {
        if (_skipped.Count < JobResult.MaxFailures) _skipped.Add(path);
        return _skippedBefore.Contains(path);
    }

    /// <summary>Begins a round: the trigger files of the last one are forgotten, but for those that are to be deleted.</summary>
    public void Begin()
    {
        lock (_gate) _seen.Clear();
    }

    /// <summary>Takes a trigger file, by its path, that the round has listed beside its file.</summary>
    public void Triggered(string path, TriggerSight sight)
    {
        if (trigger is null) return;
        lock (_gate) _seen[path] = sight;
    }

    /// <summary>The files that were sent since the last call, with their trigger files.</summary>
    public IReadOnlyDictionary<string, TriggerSight> TakeTriggers()
    {
        lock (_gate)
        {
            var taken = new Dictionary<string, TriggerSight>(_triggers, StringComparer.Ordinal);
            _triggers.Clear();
            return taken;
        }
    }

    /// <summary>Takes a file back whose trigger file could not be looked at.</summary>
    public void ReturnTrigger(string path, TriggerSight sight)
    {
        lock (_gate) _triggers.TryAdd(path, sight);
    }

    /// <summary>Whether files wait to be tried again.</summary>
    public bool HasFailures
    {
        get { lock (_gate) return _failures.Count > 0; }
    }

    /// <summary>Whether a file was sent, and its source could not be removed or moved.</summary>
    public bool IsLeft(string path)
    {
        lock (_gate) return _failures.TryGetValue(path, out var failure) && failure.IsLeft;
    }

    /// <summary>Adds a round.</summary>
    /// <param name="round">The result of the round.</param>
    /// <param name="waits">Whether the round has left a file to a later one, so that the file's failure stands.</param>
    public void Add(JobResult round, Func<string, bool> waits)
    {
        lock (_gate)
        {
            // What failed is gone where the round did not meet the file again.
            (_skippedBefore, _skipped) = (_skipped, new HashSet<string>(StringComparer.Ordinal));
            var failed = round.Failures.Select(item => item.Path).ToHashSet(StringComparer.Ordinal);
            foreach (var path in _failures.Keys.Where(path => !failed.Contains(path) && !waits(path)).ToList()) _failures.Remove(path);
            AddLocked(round);
            _sum = _sum with { Skipped = round.Skipped, Unchanged = round.Unchanged, NotDeleted = round.NotDeleted };
        }
    }

    /// <summary>Adds a round without a result, which was stopped or has failed: the items that had ended by then.</summary>
    public void AddBroken()
    {
        lock (_gate) AddLocked(_round.ToResult(TimeSpan.Zero, sessions: 0));
    }

    /// <summary>The result of all rounds.</summary>
    public JobResult Result(TimeSpan elapsed)
    {
        lock (_gate) return _sum with { Elapsed = elapsed, Failed = _failures.Count, Failures = [.. _failures.Values] };
    }

    private void AddLocked(JobResult round)
    {
        _round = new JobTally();
        var kept = _sum.Kept.Concat(round.Kept).TakeLast(JobResult.MaxFailures).ToList();
        _sum = JobTally.Join(_sum, round) with { Kept = kept };
    }
}
