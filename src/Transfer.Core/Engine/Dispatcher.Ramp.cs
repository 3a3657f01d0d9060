using Transfer.Sessions;

namespace Transfer.Engine;

/// <summary>How many sessions there may be: see <see cref="SessionRamp"/>.</summary>
internal sealed partial class Dispatcher
{
    private readonly SessionRamp _ramp;
    private ITimer? _ramping;
    private long _lookedAt;
    private int _endedLately; // since then
    private int _expected;
    private int _leaving; // sessions on their way back because there are more than are allowed

    /// <summary>Which way all of the job's files go: sessions that are opened for them get ready for that. Null: not all go the same way.</summary>
    public WorkKind? FilesGo { get; set; }

    // Called under the lock, or where a glance will do.
    private int AllowedWorkers => Math.Min(_maxWorkers, Math.Max(_ramp.Allowed, _segmented.Count > 0 ? MostForSegments : 0));

    private int MostForSegments => _segmentsAsked ?? (_ramp.IsLinkLong ? _maxWorkers : 0);

    // The first session takes long to come, or has taken long.
    private bool IsLinkLong => _pool.IsFar || _pool.Open == 0 && !_pool.IsNear;

    /// <summary>Has sessions opened for files that are on their way: what a log-in costs then passes beside what has to be done before them.</summary>
    public void Expect(int files)
    {
        if (_abort.IsCancellationRequested) return;
        lock (_gate)
        {
            _expected = Math.Max(_expected, files);
            LookAtTheLink();
        }
        _pool.Prepare(Math.Min(files, AllowedWorkers), FilesGo);
    }

    /// <summary>Content bytes were moved.</summary>
    public void Moved(long bytes)
    {
        _ramp.Moved(bytes);
        Owner.Moved(bytes);
    }

    // Called under the lock. When the first session is there, or takes long to come, it is known what kind of link this is.
    private void LookAtTheLink()
    {
        if (_ramping is not null || _ramp.IsLinkLong || _ramp.IsOver && _usual >= _maxWorkers) return;
        if (_pool.IsFar)
        {
            _ramp.OpenUp();
            return;
        }
        _lookedAt = _time.GetTimestamp();
        _ramping = _time.CreateTimer(static self => ((Dispatcher)self!).Ramp(), this, SessionPool.LongOpening, SessionRamp.Interval);
    }

    private void Ramp()
    {
        var ahead = 0;
        lock (_gate)
        {
            var elapsed = _time.GetElapsedTime(_lookedAt);
            _lookedAt = _time.GetTimestamp();
            var pace = _endedLately / Math.Max(0.001, elapsed.TotalSeconds);
            _endedLately = 0;
            // Standing still says nothing about the link.
            if (Flow is { IsPaused: true }) return;
            if (!_ramp.IsLinkLong && IsLinkLong)
            {
                _ramp.OpenUp();
                ahead = Math.Min(_noMore ? Waiting : _expected, AllowedWorkers);
                StartWorkers();
            }
            else if (_ramp.Look(elapsed, busy: _coming == 0 && _alive >= AllowedWorkers && Waiting > Math.Max(_alive, pace * SessionRamp.LeastToTry.TotalSeconds)))
            {
                StartWorkers();
            }
            if (_ramp.IsOver) _ramping?.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        }
        if (ahead > 0 && !_abort.IsCancellationRequested) _pool.Prepare(ahead, FilesGo);
    }
}
