using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Carriers.Link.Messages;
using Transfer.Local;

namespace Transfer.Batch.Carriers.Link;

/// <summary>
/// A job on the receiving side: the safe archives and the results of the files. Archives are held back until a handle runs the job
/// (<see cref="RunAsync"/>). Thread-safe.
/// </summary>
internal sealed class ReceivingJob : IAsyncDisposable
{
    private readonly IJobSink _sink;
    private readonly TimeProvider _time;
    private readonly long _started;
    private readonly CancellationTokenSource _abandoned = new();
    private readonly CancellationTokenSource _stopped = new();
    private readonly Lock _gate = new();
    private readonly Receipts _receipts;
    private readonly Dictionary<long, ArrivingArchive> _arriving = [];
    private readonly LaneBoard _board = new();
    private readonly TaskCompletionSource<TransferJobContext> _handle = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<JobResult> _over = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task? _finish;
    private long _files;
    private int _lanes;
    private int _joined;
    private int _peak;
    private bool _begun;
    private bool _finished;
    private bool _givenUp;
    private bool _stopping;

    public ReceivingJob(byte[] id, IJobSink sink, TimeProvider time)
    {
        Id = id;
        _sink = sink;
        _time = time;
        _started = time.GetTimestamp();
        _receipts = new Receipts(sink.Forget);
        (Abandoned, Stopped) = (_abandoned.Token, _stopped.Token);
    }

    public byte[] Id { get; }

    /// <summary>See <see cref="JobAcceptedMessage"/>.</summary>
    public ulong Instance { get; } = (ulong)Random.Shared.NextInt64();

    /// <summary>The files that existed before the job; null: none that the sender may know of.</summary>
    public IBaseFiles? Bases => _sink.Bases;

    /// <summary>The memory of the job.</summary>
    public ByteBudget Buffers => _sink.Buffers;

    /// <summary>The result, once the sender needs nothing more; a failure when the sender did not return.</summary>
    public Task<JobResult> Completion => _over.Task;

    /// <summary>Fires when the job is broken off.</summary>
    public CancellationToken Abandoned { get; }

    /// <summary>Fires when no further archive is to begin.</summary>
    public CancellationToken Stopped { get; }

    /// <summary>Whether this side ends the job early.</summary>
    public bool IsEndedHere
    {
        get { lock (_gate) return _stopping || _givenUp; }
    }

    /// <summary>Whether a job of the same number has ended already.</summary>
    public bool IsEcho { get; init; }

    /// <summary>Called with the first archive of an echo, which thereby becomes a job of its own.</summary>
    public Action<ReceivingJob> OnEchoBegun { get; init; } = _ => { };

    /// <summary>Whether the sender sent nothing for the job.</summary>
    public bool IsEmpty
    {
        get { lock (_gate) return !_begun && _finish is null; }
    }

    /// <summary>Whether the sender has begun another job instead, which the handle of this one then runs.</summary>
    public bool IsReplaced { get; set; }

    /// <summary>Lanes that are open.</summary>
    public int Lanes
    {
        get { lock (_gate) return _lanes; }
    }

    /// <summary>Lanes that were ever opened.</summary>
    public int Joined
    {
        get { lock (_gate) return _joined; }
    }

    /// <summary>Whether the sender has ended the job, and all work here is done.</summary>
    public bool IsFinished
    {
        get { lock (_gate) return _finished; }
    }

    /// <summary>Files that have their names.</summary>
    public long Files
    {
        get { lock (_gate) return _files; }
    }

    /// <summary>The message for a sender whose job this side has ended early.</summary>
    public static TransferException Refusal() =>
        new(TransferError.Denied, "The receiver has ended the job. Confirmed files stay there.");

    /// <summary>Runs the job for a handle. Not to be called twice.</summary>
    /// <param name="handle">Pauses, stops and cancels the job.</param>
    /// <returns>The result, after the end of all work.</returns>
    public async Task<JobResult> RunAsync(TransferJobContext handle)
    {
        _sink.Begin(handle, fault => _ = AbandonAsync(fault));
        using var sessions = handle.AddSessions(_board.Read);
        _handle.TrySetResult(handle);
        var cancellation = new OperationCanceledException(handle.CancellationToken);
        using var cancelled = handle.CancellationToken.UnsafeRegister(_ => _ = AbandonAsync(cancellation), null);
        using var stopping = handle.Stopping.UnsafeRegister(_ => Stop(), null);
        return await _over.Task.ConfigureAwait(false);
    }

    /// <summary>A lane is opened.</summary>
    public void Join()
    {
        lock (_gate)
        {
            _joined++;
            _peak = Math.Max(_peak, ++_lanes);
        }
    }

    /// <summary>The work of a lane, for the job's handle.</summary>
    public LaneWork AddWork() => _board.Add();

    /// <summary>A lane is closed; gives how many are left.</summary>
    public int RemoveLane()
    {
        int left;
        bool isStopped;
        lock (_gate) (left, isStopped) = (--_lanes, _stopping);
        if (left == 0 && isStopped) EndStopped();
        return left;
    }

    /// <summary>Receives an archive, unless safe already. Where the archive is still arriving over another lane, that lane was lost, and
    /// this one takes over.</summary>
    /// <exception cref="TransferException">The archive is incomplete, invalid, or can't be written here, or the job was stopped before
    /// the archive began.</exception>
    public async ValueTask<ArchiveReceipt> ReceiveAsync(ArchiveBeginMessage begin, Stream archive, LaneWork work, CancellationToken ct)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(ct, Abandoned);
        var handle = await WhenArchiveMayBeginAsync(end.Token).ConfigureAwait(false);
        var mine = new ArrivingArchive(end);
        while (true)
        {
            ArrivingArchive? other;
            lock (_gate)
            {
                _receipts.Forget(begin.SettledBelow);
                if (_receipts.Find(begin.Index) is { } known) return known;
                // A late archive of a lane that was given up has long arrived over another, and may be older than that version.
                if (_receipts.IsForgotten(begin.Index) || _finish is not null)
                    throw new TransferException(TransferError.Lost, "The archive was settled before it came over this lane.");
                if (_givenUp) throw Refusal();
                if (!_arriving.TryGetValue(begin.Index, out other))
                {
                    _arriving.Add(begin.Index, mine);
                    break;
                }
            }
            await other.GiveWayAsync().ConfigureAwait(false);
        }
        work.Begin(begin.Index);
        try
        {
            var held = new PausedReadStream(archive, handle, work.Moved);
            var receipt = await _sink.ReceiveAsync(begin.Index, held, end.Token).ConfigureAwait(false);
            lock (_gate)
            {
                _receipts.Add(begin.Index, receipt);
                _files += receipt.Files;
            }
            return receipt;
        }
        catch (OperationCanceledException e) when (!ct.IsCancellationRequested)
        {
            throw new TransferException(TransferError.Lost, "The archive is received over another lane.", e);
        }
        catch (Exception e) when (e is TransferException || LocalErrors.IsLocal(e))
        {
            var error = LocalErrors.Map(e, "The archive could not be written:", string.Empty);
            // The archive is still in line here: so no other lane has delivered the archive, even if the sender has given the archive up
            // and counts it as settled.
            lock (_gate) _receipts.Refuse(begin.Index, error);
            throw error;
        }
        finally
        {
            work.End();
            lock (_gate) _arriving.Remove(begin.Index);
            mine.MarkEnded();
        }
    }

    /// <summary>Ends the job at the sender's request; a repeated request, after a lost answer, gets the same answer.</summary>
    /// <param name="givenUp">The number of unconfirmed archives that the sender gave up.</param>
    /// <param name="ct">Cancels the wait for a handle.</param>
    public async ValueTask<JobDoneMessage> EndAsync(long givenUp, CancellationToken ct)
    {
        // The sender repeats a request whose answer was lost, to a job that has long ended.
        if (IsEcho && IsEmpty) return new JobDoneMessage(0);
        await _handle.Task.WaitAsync(ct).ConfigureAwait(false);
        Task finish;
        lock (_gate)
        {
            if (_finish is null && (_stopping || _givenUp)) throw Refusal();
            finish = _finish ??= Task.Run(() => FinishAsync(givenUp), CancellationToken.None);
        }
        await finish.ConfigureAwait(false);
        return new JobDoneMessage(Files);
    }

    /// <summary>Closes the job: the sender knows of the end, or has had time enough to request the answer again.</summary>
    public void Close()
    {
        lock (_gate)
        {
            if (_finished) _over.TrySetResult(Result());
        }
    }

    /// <summary>Breaks the job off: the sender did not return, or the receiver stops. Unfinished files are deleted.</summary>
    public async Task AbandonAsync(Exception reason)
    {
        Task? finish;
        bool isFirst;
        lock (_gate)
        {
            (isFirst, _givenUp) = (!_givenUp, true);
            finish = _finish;
        }
        if (!isFirst)
        {
            await ((Task)_over.Task).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            return;
        }
        if (finish is not null)
        {
            await finish.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            Close();
        }
        if (_over.Task.IsCompleted) return;
        try
        {
            await _abandoned.CancelAsync().ConfigureAwait(false);
            await WhenQuietAsync().ConfigureAwait(false);
            await _sink.DisposeAsync().ConfigureAwait(false);
        }
        finally
        {
            _over.TrySetException(reason);
            _ = _over.Task.Exception; // marked as observed, since the task may have no waiter
        }
    }

    /// <summary>The receiver stops.</summary>
    public ValueTask DisposeAsync() =>
        new(AbandonAsync(new TransferConnectionException(TransferError.Lost, "The receiver was stopped.")));

    private async ValueTask<TransferJobContext> WhenArchiveMayBeginAsync(CancellationToken ct)
    {
        bool isFirst;
        lock (_gate) (isFirst, _begun) = (!_begun, true);
        if (isFirst && IsEcho) OnEchoBegun(this);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(ct, Stopped);
        try
        {
            var handle = await _handle.Task.WaitAsync(either.Token).ConfigureAwait(false);
            await handle.WhenResumedAsync(either.Token).ConfigureAwait(false);
            await handle.WhenItemsAreReadAsync(either.Token).ConfigureAwait(false);
            // The callback of the token may be late.
            if (handle.Stopping.IsCancellationRequested) throw Refusal();
            return handle;
        }
        catch (OperationCanceledException) when (IsEndedHere)
        {
            throw Refusal();
        }
    }

    // A job that the sender has ended goes on to its end, which is near.
    private void Stop()
    {
        bool isIdle;
        lock (_gate)
        {
            if (_finish is not null) return;
            (_stopping, isIdle) = (true, _lanes == 0);
        }
        _stopped.Cancel();
        if (isIdle) EndStopped();
    }

    private async Task FinishAsync(long givenUp)
    {
        try
        {
            await WhenQuietAsync().ConfigureAwait(false);
            try
            {
                List<LostArchive> lost;
                lock (_gate) lost = _receipts.Lost(givenUp);
                await _sink.FinishAsync(lost, Abandoned).ConfigureAwait(false);
            }
            finally
            {
                await _sink.DisposeAsync().ConfigureAwait(false);
            }
            lock (_gate) _finished = true;
        }
        catch (Exception e) when (e is TransferException || LocalErrors.IsLocal(e))
        {
            var error = LocalErrors.Map(e, "The job could not be finished:", string.Empty);
            _over.TrySetException(error);
            throw error;
        }
    }

    private void EndStopped() => _ = AbandonAsync(new OperationCanceledException(_handle.Task.Result.Stopping));

    private async ValueTask WhenQuietAsync()
    {
        while (true)
        {
            ArrivingArchive[] arriving;
            lock (_gate) arriving = [.. _arriving.Values];
            if (arriving.Length == 0) return;
            foreach (var archive in arriving) await archive.GiveWayAsync().ConfigureAwait(false);
        }
    }

    private JobResult Result() => _sink.Tally.ToResult(_time.GetElapsedTime(_started), _peak);
}
