using Transfer.Diagnostics;
using Transfer.Engine.Flow;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Engine;

/// <summary>What one run of one session takes from. It remembers what is open, so that a session that ends badly loses no file.</summary>
internal sealed class WorkerSource : IWorkSource
{
    private readonly Dispatcher _dispatcher;
    private readonly TimeProvider _time;
    private readonly HashSet<JobItem> _open = [];
    private JobItem? _latest;
    private long _moved;
    private long _activeAt; // something was taken or moved

    public WorkerSource(Dispatcher dispatcher, TransferSession session, TimeProvider time)
    {
        _dispatcher = dispatcher;
        Session = session;
        _time = time;
    }

    /// <summary>Whose run it is.</summary>
    public TransferSession Session { get; }

    /// <summary>What holds content back; null: nothing.</summary>
    public ContentFlow? Flow => _dispatcher.Flow;

    /// <summary>Names and remembers what is moved aside at the target.</summary>
    public IAsideLog Asides => _dispatcher.Owner.Asides;

    /// <summary>What to hash with.</summary>
    public string HashAlgorithm => _dispatcher.HashAlgorithm;

    /// <summary>The session asked for something in this run.</summary>
    public bool Asked { get; private set; }

    /// <summary>Something was taken in this run.</summary>
    public bool Took { get; private set; }

    /// <summary>Items taken and not completed.</summary>
    public int OpenCount
    {
        get { lock (_open) return _open.Count; }
    }

    /// <summary>Files that had been added at the last take.</summary>
    public long Seen { get; set; }

    /// <summary>This run was asked to end so that somebody else gets the session.</summary>
    public bool Yielded { get; set; }

    /// <summary>This run was asked to end because fewer sessions do as well.</summary>
    public bool Leaves { get; set; }

    /// <summary>It gets nothing any more.</summary>
    public bool IsDismissed => Yielded || Leaves;

    public ValueTask<int> TakeAsync(Memory<WorkItem> into, CancellationToken stop)
    {
        // Never a wait: a session that has nothing to do goes back to the pool, it is not parked.
        Asked = true;
        var count = stop.IsCancellationRequested ? 0 : _dispatcher.Take(this, into.Span);
        Took |= count > 0;
        return new(count);
    }

    public bool MayHaveMore => !IsDismissed && _dispatcher.HasQueued;

    public Task WhenMoreAsync() => _dispatcher.WhenMoreAsync(this);

    public void Opened(JobItem item)
    {
        Touch();
        lock (_open) _open.Add(item);
    }

    /// <summary>That nothing has moved until now is not the session's fault.</summary>
    public void Touch() => Volatile.Write(ref _activeAt, _time.GetTimestamp());

    public void Report(JobItem item, long bytes)
    {
        TransferDiagnostics.Moved(item.Kind, bytes);
        Touch();
        Volatile.Write(ref _latest, item);
        Interlocked.Add(ref _moved, bytes);
        _dispatcher.Moved(bytes);
    }

    public void Completed(JobItem item, WorkOutcome outcome)
    {
        lock (_open) _open.Remove(item);
        _dispatcher.Settle(item, outcome);
    }

    /// <summary>
    /// Gives the session up if all that it is at are ranges of downloads and nothing has come for longer than a connection that is well takes:
    /// what is missing of them is left to others. Called under the dispatcher's lock.
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

    private Action? GiveUp(Func<JobItem, bool> isTooSlow, string why)
    {
        lock (_open)
        {
            if (_open.Count == 0 || !_open.All(item => item is { Kind: WorkKind.Download, File: { Segment: not null, Returns: < Dispatcher.MaxReturns } } && isTooSlow(item))) return null;
            foreach (var item in _open) item.IsGivenUp = true;
        }
        return () => Session.Break(new TransferConnectionException(TransferError.Lost, why));
    }

    /// <summary>What the session is at; null: nothing that has begun to move.</summary>
    public TransferLane? Describe()
    {
        if (Volatile.Read(ref _latest) is not { } item) return null;
        int files;
        lock (_open)
        {
            if (_open.Count == 0) return null;
            files = _open.Count;
        }
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
}
