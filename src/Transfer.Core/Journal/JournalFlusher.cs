using Transfer.Local;

namespace Transfer.Journal;

/// <summary>Flushes a journal to the disk, beside the writers: one flush at a time, and none while nothing is written.
/// Thread-safe.</summary>
internal sealed class JournalFlusher : IDisposable
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly Lock _gate = new();
    private readonly Lock _flushing = new();
    private readonly JournalFile _file;
    private readonly TimeSpan _delay;
    private readonly Action<Exception> _failed;
    private readonly ITimer? _timer;
    private bool _isDue; // the timer, or its flush, runs
    private bool _closed;

    /// <param name="file">The journal.</param>
    /// <param name="policy">When.</param>
    /// <param name="time">The clock.</param>
    /// <param name="failed">Called when the disk refuses; no flush follows.</param>
    public JournalFlusher(JournalFile file, JournalFlush policy, TimeProvider time, Action<Exception> failed)
    {
        _file = file;
        _failed = failed;
        _delay = policy == JournalFlush.EachRecord ? TimeSpan.Zero : Second;
        if (policy == JournalFlush.Never) return;
        using (ExecutionContext.SuppressFlow())
        {
            _timer = time.CreateTimer(static self => ((JournalFlusher)self!).OnTimer(), this, Timeout.InfiniteTimeSpan,
                Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>Schedules a flush after a write.</summary>
    public void OnWritten()
    {
        lock (_gate)
        {
            if (_isDue || _closed) return;
            _isDue = _timer?.Change(_delay, Timeout.InfiniteTimeSpan) ?? false;
        }
    }

    /// <summary>Brings all records written to the disk before returning, unless the policy is never to.</summary>
    public void Flush()
    {
        if (_timer is null) return;
        lock (_flushing)
        {
            if (_closed || _file.IsFlushed) return;
            try
            {
                _file.Flush();
            }
            catch (Exception e) when (LocalErrors.IsLocal(e))
            {
                Close();
                _failed(e);
            }
        }
    }

    /// <summary>Waits for a flush under way; nothing is flushed from then on.</summary>
    public void Dispose()
    {
        lock (_flushing) Close();
        _timer?.Dispose();
    }

    private void OnTimer()
    {
        Flush();
        lock (_gate) _isDue = false;
        if (!_file.IsFlushed) OnWritten();
    }

    private void Close()
    {
        lock (_gate) _closed = true;
    }
}
