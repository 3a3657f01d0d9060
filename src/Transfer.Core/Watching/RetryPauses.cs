namespace Transfer.Watching;

/// <summary>
/// The pauses of files that failed: doubled at each failure, up to the longest. A file that changes is free at once. Receives the items
/// of the rounds, and passes them on. Thread-safe.
/// </summary>
/// <param name="first">The first pause.</param>
/// <param name="longest">The longest pause.</param>
/// <param name="time">The clock.</param>
/// <param name="next">Receives the items.</param>
internal sealed class RetryPauses(TimeSpan first, TimeSpan longest, TimeProvider time, IProgress<ItemResult> next) : IProgress<ItemResult>
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, Failed> _failed = new(StringComparer.Ordinal);
    private int _round;
    private long _waiting;

    /// <summary>Files of this round whose pause was not over.</summary>
    public long Waiting
    {
        get { lock (_gate) return _waiting; }
    }

    /// <summary>Begins a round: files that the last one did not meet are forgotten.</summary>
    public void Begin()
    {
        lock (_gate)
        {
            foreach (var (path, failed) in _failed)
            {
                if (failed.Round < _round) _failed.Remove(path);
            }
            (_round, _waiting) = (_round + 1, 0);
        }
    }

    /// <summary>Takes an item as it ends.</summary>
    public void Report(ItemResult value)
    {
        lock (_gate)
        {
            if (value.Error is null)
            {
                _failed.Remove(value.Path);
            }
            else
            {
                var pause = _failed.TryGetValue(value.Path, out var failed) ? failed.Pause * 2 : first;
                _failed[value.Path] = new(pause < longest ? pause : longest, time.GetTimestamp(), _round, null);
            }
        }
        next.Report(value);
    }

    /// <summary>The rest of a file's pause; zero or less: the file may be tried.</summary>
    /// <param name="path">The file.</param>
    /// <param name="length">The length.</param>
    /// <param name="modified">The modification time.</param>
    public TimeSpan Left(string path, long? length, DateTimeOffset? modified)
    {
        lock (_gate)
        {
            if (!_failed.TryGetValue(path, out var failed)) return TimeSpan.Zero;
            // The first look behind the failure shows what failed.
            var seen = failed.Seen ?? (length, modified);
            _failed[path] = failed with { Round = _round, Seen = (length, modified) };
            var left = seen == (length, modified) ? failed.Pause - time.GetElapsedTime(failed.At) : TimeSpan.Zero;
            if (left > TimeSpan.Zero) _waiting++;
            return left;
        }
    }

    private readonly record struct Failed(TimeSpan Pause, long At, int Round, (long? Length, DateTimeOffset? Modified)? Seen);
}
