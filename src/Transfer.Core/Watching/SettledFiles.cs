using Transfer.Local;

namespace Transfer.Watching;

/// <summary>
/// Holds files back until they are complete: unchanged for some time, and not open for writing. One that failed waits longer each time,
/// unless the file changes: new files do not have all failed ones tried again. Knows the files that wait.
/// Thread-safe: folders are planned at the same time.
/// </summary>
/// <param name="source">The folder.</param>
/// <param name="options">The options.</param>
/// <param name="changes">The changes of a local folder; null: they are not reported.</param>
/// <param name="retries">The pauses of files that failed.</param>
/// <param name="totals">Takes trigger files, and knows the files that were sent and whose sources are still there.</param>
internal sealed class SettledFiles(
    WatchedSource source, WatchOptions options, LocalChanges? changes, RetryPauses retries, WatchTotals totals) : IFileGate
{
    private readonly Lock _gate = new();
    private Dictionary<string, Sighting> _before = new(StringComparer.Ordinal);
    private Dictionary<string, Sighting> _waiting = new(StringComparer.Ordinal);
    private TimeSpan? _next;

    public string? Trigger => options.Trigger;

    public long Failing => retries.Waiting;

    /// <summary>The time until the first of the waiting files may be complete; null: none waits.</summary>
    public TimeSpan? Next
    {
        get { lock (_gate) return _next; }
    }

    /// <summary>Whether a file waits: it is neither sent nor gone.</summary>
    public bool IsWaiting(string path)
    {
        lock (_gate) return _waiting.ContainsKey(path);
    }

    public bool IsLeft(string path) => totals.IsLeft(path);

    public void Triggered(string path, long? length, DateTimeOffset? modified) => totals.Triggered(path, new(length, modified));

    /// <summary>Begins a round: files that the round does not meet are forgotten.</summary>
    public void Begin()
    {
        lock (_gate) (_before, _waiting, _next) = (_waiting, new Dictionary<string, Sighting>(StringComparer.Ordinal), null);
    }

    public bool IsReady(string path, long? length, DateTimeOffset? modified)
    {
        var now = options.TimeProvider.GetTimestamp();
        lock (_gate)
        {
            var seen = new Sighting(length, modified, now);
            if (_before.TryGetValue(path, out var before) && before.Length == length && before.Modified == modified) seen = before;
            else if (changes?.LastChange(source.FullPath(path)) is { } last) seen = seen with { Since = last };
            var left = options.Settle - options.TimeProvider.GetElapsedTime(seen.Since);
            if (retries.Left(path, length, modified) is var pause && pause > left) left = pause;
            if (left > TimeSpan.Zero)
            {
                WaitLocked(path, seen, left);
                return false;
            }
        }

        // Not under the lock: the system may take its time. A writer that keeps a file open may write at any moment.
        if (source.LocalFolder is null || !OpenWriters.Has(source.FullPath(path))) return true;
        lock (_gate) WaitLocked(path, new Sighting(length, modified, now), options.Settle);
        return false;
    }

    private void WaitLocked(string path, Sighting seen, TimeSpan left)
    {
        _waiting[path] = seen;
        if (_next is null || left < _next) _next = left;
    }

    private readonly record struct Sighting(long? Length, DateTimeOffset? Modified, long Since);
}
