using Transfer.Engine.Files;
using Transfer.Sessions;

namespace Transfer.Engine.Scheduling;

/// <summary>
/// What one run of one session takes from. It knows whose files the session has: of one job, or of several; and what is open, so that a session that ends badly loses no
/// file. What is named <c>…Locked</c> is called under the scheduler's lock.
/// </summary>
internal sealed class WorkerSource : IWorkSource, IDisposable
{
    private readonly Scheduler _scheduler;
    private readonly TimeProvider _time;
    private readonly HashSet<JobItem> _open = [];
    private readonly Dictionary<Dispatcher, int> _held = []; // files that were taken and not completed
    private readonly HashSet<Dispatcher> _served = []; // jobs that wait for this run to end, or to go on with others
    private readonly CancellationTokenSource _stop;
    private JobItem? _latest;
    private long _moved;
    private long _activeAt; // something was taken or moved

    /// <param name="scheduler">Gives the files.</param>
    /// <param name="worker">Whose session it is.</param>
    /// <param name="session">Whose run it is.</param>
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

    /// <summary>Whose session it is.</summary>
    public Worker Worker { get; }

    /// <summary>Whose run it is.</summary>
    public TransferSession Session { get; }

    /// <summary>Fires when the run is given up.</summary>
    public CancellationToken Stop { get; }

    /// <summary>The session asked for something in this run.</summary>
    public bool Asked { get; private set; }

    /// <summary>Something was taken in this run.</summary>
    public bool Took { get; private set; }

    /// <summary>Files that had been added at the last take.</summary>
    public long Seen { get; set; }

    /// <summary>Files that the session has.</summary>
    public int HeldLocked => _held.Count == 0 ? 0 : _held.Values.Sum();

    public ValueTask<int> TakeAsync(Memory<WorkItem> into, CancellationToken stop)
    {
        // Never a wait: a session that has nothing to do goes back to the pool, it is not parked.
        Asked = true;
        var count = stop.IsCancellationRequested ? 0 : _scheduler.Take(this, into.Span);
        Took |= count > 0;
        return new(count);
    }

    public bool MayHaveMore => !Worker.IsDismissed && _scheduler.HasQueued;

    public Task WhenMoreAsync() => _scheduler.WhenMoreAsync(this);

    /// <summary>The session has files of a job.</summary>
    public bool HoldsLocked(Dispatcher job) => _held.ContainsKey(job);

    /// <summary>All jobs whose files the session has are such ones.</summary>
    public bool HoldsOnlyLocked(Func<Dispatcher, bool> are) => _held.Keys.All(are);

    /// <summary>
    /// The session may have files of a job beside those that it has. Files whose content waits for somebody else stand in the way of those behind them: such a job
    /// has its sessions to itself.
    /// </summary>
    public bool MayServeLocked(Dispatcher job)
    {
        if (!_held.ContainsKey(job)) return job.MayHaveAnotherLocked && (_held.Count == 0 || !job.IsExclusive && !_held.Keys.Any(static held => held.IsExclusive));
        return true;
    }

    /// <summary>The session is given a file of a job. True: it had none of it before.</summary>
    public bool HoldLocked(Dispatcher job)
    {
        var before = _held.GetValueOrDefault(job);
        _held[job] = before + 1;
        if (_served.Add(job)) job.ServedLocked(this);
        foreach (var other in _served.Where(other => !_held.ContainsKey(other)).ToArray()) LeaveLocked(other);
        return before == 0;
    }

    /// <summary>The session has one file of a job less. True: it has none of it any more.</summary>
    public bool ReleaseLocked(Dispatcher job)
    {
        if (--_held[job] > 0) return false;
        _held.Remove(job);
        // A session that has other jobs' files goes on without this one.
        if (_held.Count > 0) LeaveLocked(job);
        return true;
    }

    /// <summary>The session was given back.</summary>
    public void EndLocked()
    {
        foreach (var job in _served.ToArray()) LeaveLocked(job);
    }

    public void Opened(JobItem item)
    {
        Touch();
        lock (_open) _open.Add(item);
    }

    /// <summary>That nothing has moved until now is not the session's fault.</summary>
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
        item.Job.Settle(item, outcome, this);
    }

    /// <summary>
    /// Gives the session up if all that it is at are ranges of downloads and nothing has come for longer than a connection that is well takes:
    /// what is missing of them is left to others. Called under the scheduler's lock.
    /// </summary>
    /// <returns>What is to be done once the lock is released; null: it is not stalled.</returns>
    public Action? GiveUpStalled()
    {
        var quiet = _time.GetElapsedTime(Volatile.Read(ref _activeAt));
        return GiveUp(item => quiet > item.File.Segment!.Whole.StallTime, $"Nothing came for {quiet.TotalMilliseconds:0} ms while other sessions had nothing to do.");
    }

    /// <summary>The same if others would be done far sooner with what is missing.</summary>
    /// <param name="idle">So many sessions have nothing to do.</param>
    public Action? GiveUpSlow(int idle) =>
        GiveUp(item => item.TimeLeft is { } left && item.File.Segment!.Whole.IsSoonerDone(left, idle), $"It would have taken {TimeLeft.TotalMilliseconds:0} ms for its last bytes, and {idle} other sessions had nothing to do.");

    /// <summary>How long it will take for the segments that it is at.</summary>
    public TimeSpan TimeLeft
    {
        get { lock (_open) return _open.Count == 0 ? TimeSpan.Zero : _open.Max(item => item.TimeLeft ?? TimeSpan.Zero); }
    }

    /// <summary>What the session is at for a job; null: nothing that has begun to move.</summary>
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
        return new TransferLane { Path = item.File.RemotePath, Bytes = item.Reported, TotalBytes = end - item.Offset, Files = files, Moved = Interlocked.Read(ref _moved) };
    }

    /// <summary>Ends what the session took and did not complete.</summary>
    public void EndOrphans(Exception? fault)
    {
        JobItem[] orphans;
        lock (_open) orphans = [.. _open];
        if (orphans.Length == 0) return;
        var error = fault as TransferException
            ?? new TransferConnectionException(TransferError.Protocol, "The session ended without saying what became of the file.", fault);
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
            // The run is over.
        }
    }

    public void Dispose() => _stop.Dispose();

    private void LeaveLocked(Dispatcher job)
    {
        _served.Remove(job);
        job.PartedLocked(this);
    }

    private Action? GiveUp(Func<JobItem, bool> isTooSlow, string why)
    {
        lock (_open)
        {
            if (_open.Count == 0 || !_open.All(item => item is { Kind: WorkKind.Download, File: { Segment: not null, Attempts.Returns: < ItemVerdict.MaxReturns } } && isTooSlow(item))) return null;
            foreach (var item in _open) item.IsGivenUp = true;
        }
        return () => Session.Break(new TransferConnectionException(TransferError.Lost, why));
    }
}
