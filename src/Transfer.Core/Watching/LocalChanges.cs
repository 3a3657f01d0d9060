using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Local;

namespace Transfer.Watching;

/// <summary>
/// The changes of a local folder, as the system reports them. Where it reports none (network file systems), or too many at once, or has no
/// watches left, the looks at intervals find them.
/// </summary>
internal sealed class LocalChanges : IDisposable
{
    // Beyond, times are forgotten: files then take a second look.
    private const int MostTimes = 100_000;

    private readonly ConcurrentDictionary<string, long> _times = new(StringComparer.Ordinal);
    private readonly SemaphoreSlim _changed = new(0, 1);
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly string _folder;
    private FileSystemWatcher? _watcher;

    public LocalChanges(string folder, TimeProvider time, ILogger logger) => (_folder, _time, _logger) = (folder, time, logger);

    /// <summary>Whether the system reports changes.</summary>
    public bool IsWatching => _watcher is not null;

    /// <summary>Begins to watch, where that has not begun or has ended.</summary>
    public void Begin()
    {
        if (_watcher is not null || !DiskDirectories.Exists(_folder)) return;
        FileSystemWatcher? watcher = null;
        try
        {
            watcher = new FileSystemWatcher(_folder)
            {
                IncludeSubdirectories = true,
                NotifyFilter = NotifyFilters.FileName | NotifyFilters.DirectoryName | NotifyFilters.LastWrite | NotifyFilters.Size,
            };
            watcher.Created += (_, change) => Note(change.FullPath);
            watcher.Changed += (_, change) => Note(change.FullPath);
            watcher.Renamed += (_, change) => Note(change.FullPath);
            watcher.Error += (_, error) => End(error.GetException());
            watcher.EnableRaisingEvents = true;
            _watcher = watcher;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            watcher?.Dispose();
            Log.NoWatch(_logger, _folder, e.Message);
        }
    }

    /// <summary>The time of the last change of a file that was reported; null: none was.</summary>
    public long? LastChange(string path) => _times.TryGetValue(path, out var time) ? time : null;

    /// <summary>Forgets the times of changes before a round.</summary>
    public void Forget(long before)
    {
        foreach (var (path, time) in _times)
            if (time < before) _times.TryRemove(new KeyValuePair<string, long>(path, time));
    }

    /// <summary>Waits for a change.</summary>
    public Task WaitAsync(CancellationToken ct) => _changed.WaitAsync(ct);

    public void Dispose()
    {
        _watcher?.Dispose();
        _changed.Dispose();
    }

    private void Note(string path)
    {
        if (_times.Count >= MostTimes) _times.Clear();
        _times[path] = _time.GetTimestamp();
        Signal();
    }

    private void End(Exception error)
    {
        Log.NoWatch(_logger, _folder, error.Message);
        Interlocked.Exchange(ref _watcher, null)?.Dispose();
        _times.Clear();
        Signal();
    }

    private void Signal()
    {
        try
        {
            if (_changed.CurrentCount == 0) _changed.Release();
        }
        catch (Exception e) when (e is SemaphoreFullException or ObjectDisposedException)
        {
            // Another thread has signalled the same, or there is no waiter any more.
        }
    }
}
