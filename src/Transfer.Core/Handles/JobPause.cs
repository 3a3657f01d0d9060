namespace Transfer.Handles;

/// <summary>Whether a job is paused, and the watchers of a change. Thread-safe.</summary>
internal sealed class JobPause
{
    private readonly Lock _gate = new();
    private readonly List<Action<bool>> _watchers = [];
    private TaskCompletionSource? _paused;

    public bool IsPaused => Volatile.Read(ref _paused) is not null;

    /// <summary>Ends as soon as the job is not paused.</summary>
    public Task WhenResumed => Volatile.Read(ref _paused)?.Task ?? Task.CompletedTask;

    public void Pause()
    {
        lock (_gate)
        {
            if (_paused is not null) return;
            _paused = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            NotifyLocked(true);
        }
    }

    public void Resume()
    {
        TaskCompletionSource? paused;
        lock (_gate)
        {
            if (_paused is null) return;
            (paused, _paused) = (_paused, null);
            NotifyLocked(false);
        }
        paused.SetResult();
    }

    /// <summary>Calls a watcher at each change, and at once where the job is paused now.</summary>
    public void Watch(Action<bool> watcher)
    {
        lock (_gate)
        {
            _watchers.Add(watcher);
            if (_paused is not null) watcher(true);
        }
    }

    /// <summary>Removes a watcher; while the job is paused, with a last call that reports a resumed job.</summary>
    public void Unwatch(Action<bool> watcher)
    {
        lock (_gate)
        {
            if (_watchers.Remove(watcher) && _paused is not null) watcher(false);
        }
    }

    private void NotifyLocked(bool isPaused)
    {
        foreach (var watcher in _watchers) watcher(isPaused);
    }
}
