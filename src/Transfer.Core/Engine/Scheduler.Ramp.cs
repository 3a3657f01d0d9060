using Transfer.Sessions;

namespace Transfer.Engine;

// How many sessions there may be: see SessionRamp.
internal sealed partial class Scheduler
{
    private readonly Func<int> _usual;
    private readonly List<Dispatcher> _dividing = []; // jobs with a large file that several sessions move
    private SessionRamp _ramp; // for all jobs that ask for no number of their own
    private ITimer? _ramping;
    private long _lookedAt;
    private int _endedLately; // since then
    private int _sharing; // jobs that ask for no number
    private int _own; // what the others ask for together

    /// <summary>How many sessions all jobs may have together.</summary>
    public int AllowedLocked
    {
        get
        {
            var shared = _sharing > 0 ? _ramp.Allowed : 0;
            foreach (var job in _dividing)
            {
                if (job.OwnSessions is null) shared = Math.Max(shared, job.MostLocked);
            }
            return Math.Min(_crew.Cap, shared + _own);
        }
    }

    /// <summary>How many a job may have that asks for no number, but for the segments of a large file.</summary>
    public int SharedAllowed => _ramp.Allowed;

    /// <summary>The link is a long one, for all that is known.</summary>
    public bool IsRampedForLongLink => _ramp.IsLinkLong;

    // The first session takes long to come, or has taken long.
    public bool IsLinkLong => _pool.IsFar || _pool.Open == 0 && !_pool.IsNear;

    /// <summary>A job has large files that several sessions move, or has none any more.</summary>
    public void DividesLocked(Dispatcher job, bool divides)
    {
        if (!divides) _dividing.Remove(job);
        else if (!_dividing.Contains(job)) _dividing.Add(job);
    }

    /// <summary>Content bytes were moved.</summary>
    public void Moved(long bytes) => _ramp.Moved(bytes);

    /// <summary>A file has ended.</summary>
    public void FileEndedLocked()
    {
        _ramp.FileEnded();
        _endedLately++;
    }

    /// <summary>When the first session is there, or takes long to come, it is known what kind of link this is.</summary>
    public void LookAtTheLinkLocked()
    {
        if (_sharing == 0 || _ramping is not null || _ramp.IsLinkLong || _ramp.IsOver && _usual() >= _most) return;
        if (_pool.IsFar)
        {
            _ramp.OpenUp();
            return;
        }
        _lookedAt = _time.GetTimestamp();
        _ramping = _time.CreateTimer(static self => ((Scheduler)self!).Ramp(), this, SessionPool.LongOpening, SessionRamp.Interval);
    }

    // Of the jobs that begin now nothing is known: what the link did for others may be long ago.
    private void ResetRampLocked()
    {
        _ramping?.Dispose();
        _ramping = null;
        _endedLately = 0;
        _ramp = SessionRamp.ForFiles(Math.Clamp(_usual(), 1, _most));
    }

    private void Ramp()
    {
        var (ahead, kind) = (0, (WorkKind?)null);
        lock (Gate)
        {
            var elapsed = _time.GetElapsedTime(_lookedAt);
            _lookedAt = _time.GetTimestamp();
            var pace = _endedLately / Math.Max(0.001, elapsed.TotalSeconds);
            _endedLately = 0;
            // Standing still says nothing about the link.
            if (_flow is { IsPaused: true }) return;
            if (!_ramp.IsLinkLong && IsLinkLong)
            {
                _ramp.OpenUp();
                (ahead, kind) = ExpectedLocked();
                StartWorkersLocked();
            }
            else if (_ramp.Look(elapsed, busy: _crew.Coming == 0 && _crew.Alive >= AllowedLocked && IsMoreThanLocked(Math.Max(_crew.Alive, pace * SessionRamp.LeastToTry.TotalSeconds))))
            {
                StartWorkersLocked();
            }
            if (_ramp.IsOver) _ramping?.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        }
        if (ahead > 0 && !_closing.IsCancellationRequested) _pool.Prepare(ahead, kind);
    }

    // So many sessions will have something to do, and which way that goes; null: not all goes the same way.
    private (int Sessions, WorkKind? Kind) ExpectedLocked()
    {
        var (most, files, kinds) = (AllowedLocked, 0, new HashSet<WorkKind?>());
        foreach (var job in _jobs)
        {
            if (job.ExpectedLocked == 0) continue;
            files += job.ExpectedLocked;
            kinds.Add(job.FilesGo);
            if (files >= most) break;
        }
        return (Math.Min(files, most), kinds.Count == 1 ? kinds.Single() : null);
    }

    /// <summary>More files than so many wait.</summary>
    public bool IsMoreThanLocked(double files)
    {
        var waiting = 0L;
        foreach (var job in _ring.Jobs)
        {
            waiting += job.WaitingLocked;
            if (waiting > files) return true;
        }
        return false;
    }
}
