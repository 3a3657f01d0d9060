using Transfer.Engine.Files;
using Transfer.Sessions;

namespace Transfer.Engine.Scheduling;

/// <summary>
/// The source of work for one run of one session. Records which jobs' files the session has, and which are open, so that a session that
/// ends badly loses no file. Members named <c>…Locked</c> are called under the scheduler's lock.
/// </summary>
internal sealed class WorkerSource : IWorkSource, IDisposable
{
    private readonly Scheduler _scheduler;
    private readonly TimeProvider _time;
    private readonly HashSet<JobItem> _open = [];
    private readonly Dictionary<Dispatcher, int> _held = []; // files that were taken and not completed
    private readonly HashSet<Dispatcher> _served = []; // jobs that wait until this run ends, or goes on with other jobs
    private readonly CancellationTokenSource _stop;
    private JobItem? _latest;
    private long _moved;
    private long _activeAt; // the time of the last take or move

    /// <param name="scheduler">Gives the files.</param>
    /// <param name="worker">The worker of the session.</param>
    /// <param name="session">The session of the run.</param>
    /// <param name="time">The clock.</param>
    /// <param name="closing">Fires when the client is disposed.</param>
    public WorkerSource(Scheduler scheduler, Worker worker, TransferSession session, TimeProvider time, CancellationToken closing)
    {
        _scheduler = scheduler;
        Worker = worker;
        Session = session;
        _time = time;
        _stop = CancellationTokenSource.CreateLinkedTokenSource(closing);
        Stop = _stop.Token;
    }

    /// <summary>The worker of the session.</summary>
    public Worker Worker { get; }

    /// <summary>The session of the run.</summary>
    public TransferSession Session { get; }

    /// <summary>Fires when the run is given up.</summary>
    public CancellationToken Stop { get; }

    /// <summary>Whether the session requested files in this run.</summary>
    public bool Asked { get; private set; }

    /// <summary>Whether the session took files in this run.</summary>
    public bool Took { get; private set; }

    /// <summary>The number of files that had been added at the last take.</summary>
    public long Seen { get; set; }

    /// <summary>The number of files that the session has.</summary>
    public int HeldLocked => _held.Count == 0 ? 0 : _held.Values.Sum();

    public ValueTask<int> TakeAsync(Memory<WorkItem> into, CancellationToken stop)
    {
        // Never a wait: a session without work goes back to the pool, and is not parked.
        Asked = true;
        var count = stop.IsCancellationRequested ? 0 : _scheduler.Take(this, into.Span);
        Took |= count > 0;
        return new(count);
    }

    public bool MayHaveMore => !Worker.IsDismissed && _scheduler.HasQueued;

    public Task WhenMoreAsync() => _scheduler.WhenMoreAsync(this);

    /// <summary>Returns whether the session has files of a job.</summary>
    public bool HoldsLocked(Dispatcher job) => _held.ContainsKey(job);

    /// <summary>Returns whether all jobs with files of the session meet a condition.</summary>
    public bool HoldsOnlyLocked(Func<Dispatcher, bool> are) => _held.Keys.All(are);

    /// <summary>
    /// Returns whether the session may take files of a job beside those that it has. Files with a content that waits for another party
    /// block the files behind them: such a job shares no session.
    /// </summary>
    public bool MayServeLocked(Dispatcher job)
    {
        if (!_held.ContainsKey(job))
            return job.MayHaveAnotherLocked && (_held.Count == 0 || !job.IsExclusive && !_held.Keys.Any(static held => held.IsExclusive));
        return true;
    }

    /// <summary>Gives the session a file of a job. True: the session had none of the job before.</summary>
    public bool HoldLocked(Dispatcher job)
    {
        var before = _held.GetValueOrDefault(job);
        _held[job] = before + 1;
        if (_served.Add(job)) job.ServeLocked(this);
        foreach (var other in _served.Where(other => !_held.ContainsKey(other)).ToArray()) EndServiceLocked(other);
        return before == 0;
    }

    /// <summary>Takes a file of a job from the session. True: the session has none of the job any more.</summary>
    public bool ReleaseLocked(Dispatcher job)
    {
        if (--_held[job] > 0) return false;
        _held.Remove(job);
        // A session that has other jobs' files goes on without this job.
        if (_held.Count > 0) EndServiceLocked(job);
        return true;
    }

    /// <summary>Ends the run: the session was returned.</summary>
    public void EndLocked()
    {
        foreach (var job in _served.ToArray()) EndServiceLocked(job);
    }

    public void Opened(JobItem item)
    {
        Touch();
        lock (_open) _open.Add(item);
    }

    /// <summary>Restarts the time for a stall: the standstill until now is not the session's fault.</summary>
    public void Touch() => Volatile.Write(ref _activeAt, _time.GetTimestamp());

    public void Report(JobItem item, long bytes)
    {
        item.Job.Meter.Moved(item.Kind, bytes);
        Touch();
        Volatile.Write(ref _latest, item);
        Interlocked.Add(ref _moved, bytes);
        item.Job.Moved(bytes);
    }

    public void Completed(JobItem item, WorkOutcome outcome)
    {
        lock (_open) _open.Remove(item);
        // An empty file has no first bytes.
        if (outcome is WorkOutcome.Done && item is { Reported: 0, IsSegment: false }) item.Job.FileBegun();
        item.Job.Settle(item, outcome, this);
    }

    /// <summary>
    /// Gives up a session that has only ranges of downloads, if no bytes have come for longer than a sound connection takes:
    /// other sessions get the missing bytes. Called under the scheduler's lock.
    /// </summary>
    /// <returns>The action to run once the lock is released; null: the session is not stalled.</returns>
    public Action? GiveUpStalled()
    {
        var quiet = _time.GetElapsedTime(Volatile.Read(ref _activeAt));
        return GiveUp(item => quiet > item.File.Segment!.Whole.StallTime,
            $"Nothing came for {quiet.TotalMilliseconds:0} ms while other sessions had nothing to do.");
    }

    /// <summary>Gives the session up if other sessions would move the missing bytes far sooner.</summary>
    /// <param name="idle">The number of sessions without work.</param>
    public Action? GiveUpSlow(int idle) =>
        GiveUp(item => item.TimeLeft is { } left && item.File.Segment!.Whole.IsFasterDivided(item.BytesLeft, left, idle),
            $"It would have taken {TimeLeft.TotalMilliseconds:0} ms for its last bytes, and {idle} other sessions had nothing to do.");

    /// <summary>The time for the rest of the session's segments.</summary>
    public TimeSpan TimeLeft
    {
        get { lock (_open) return _open.Count == 0 ? TimeSpan.Zero : _open.Max(item => item.TimeLeft ?? TimeSpan.Zero); }
    }

    /// <summary>Describes the session's work for a job; null: no file has begun to move.</summary>
    public TransferLane? Describe(Dispatcher job)
    {
        var item = Volatile.Read(ref _latest);
        int files;
        lock (_open)
        {
            files = _open.Count(open => open.Job == job);
            if (item?.Job != job) item = _open.Where(open => open.Job == job).MaxBy(open => open.Reported);
        }
        if (files == 0 || item is null or { Reported: 0 }) return null;
        long? end = item.End < long.MaxValue ? item.End : item.Content.Length;
        return new TransferLane
        {
            Path = item.File.RemotePath,
            Bytes = item.Reported,
            TotalBytes = end - item.Offset,
            Files = files,
            Moved = Interlocked.Read(ref _moved)
        };
    }

    /// <summary>Ends the items that the session took and did not complete.</summary>
    public void EndOrphans(Exception? fault)
    {
        JobItem[] orphans;
        lock (_open) orphans = [.. _open];
        if (orphans.Length == 0) return;
        var error = fault as TransferException
            ?? new TransferConnectionException(TransferError.Protocol, "The session ended without an outcome of the file.", fault);
        foreach (var orphan in orphans) orphan.TryComplete(new WorkOutcome.InDoubt(false, error));
    }

    /// <summary>Gives up the run, and all files that the session has.</summary>
    public void GiveUp()
    {
        try
        {
            _stop.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The run has ended.
        }
    }

    public void Dispose() => _stop.Dispose();

    private void EndServiceLocked(Dispatcher job)
    {
        _served.Remove(job);
        job.EndServiceLocked(this);
    }

    private Action? GiveUp(Func<JobItem, bool> isTooSlow, string why)
    {
        lock (_open)
        {
            if (_open.Count == 0
                || !_open.All(
                    item => item is { Kind: WorkKind.Download, File: { Segment: not null, Attempts.ReturnCount: < ItemVerdict.MaxReturns } }
                        && isTooSlow(item)))
            {
                return null;
            }

            foreach (var item in _open) item.IsGivenUp = true;
        }
        return () => Session.Break(new TransferConnectionException(TransferError.Lost, why));
    }
}
