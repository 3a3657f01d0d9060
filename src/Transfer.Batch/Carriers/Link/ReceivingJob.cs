using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Carriers.Link.Messages;
using Transfer.Local;

namespace Transfer.Batch.Carriers.Link;

/// <summary>A job on the receiving side: the safe archives and the results of the files. Thread-safe.</summary>
internal sealed class ReceivingJob : IAsyncDisposable
{
    // The receipts, and the files named in them, that may be requested again.
    private const int MostRemembered = 500_000;

    // The most refused archives on record; of further ones only the number that the sender gave up is known.
    private const int MostRefused = 1000;

    private readonly IJobSink _sink;
    private readonly TimeProvider _time;
    private readonly long _started;
    private readonly CancellationTokenSource _abandoned = new();
    private readonly Lock _gate = new();
    private readonly Dictionary<long, ArchiveReceipt> _receipts = [];
    private readonly Dictionary<long, ArrivingArchive> _arriving = [];
    private readonly Dictionary<long, TransferException> _refused = []; // and not received since
    private readonly TaskCompletionSource<JobResult> _over = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task? _finish;
    private long _files;
    private long _remembered;
    private long _forgotten; // receipts below were dropped
    private int _lanes;
    private int _joined;
    private int _peak;
    private bool _begun;
    private bool _finished;
    private bool _givenUp;

    public ReceivingJob(byte[] id, IJobSink sink, TimeProvider time)
    {
        Id = id;
        _sink = sink;
        _time = time;
        _started = time.GetTimestamp();
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

    /// <summary>Whether a job of the same number has ended already.</summary>
    public bool IsEcho { get; init; }

    /// <summary>Whether the sender sent nothing for the job.</summary>
    public bool IsEmpty
    {
        get { lock (_gate) return !_begun && _finish is null; }
    }

    /// <summary>Whether the sender has begun another job instead, or the job is an echo: not reported.</summary>
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

    /// <summary>A lane is opened.</summary>
    public void Join()
    {
        lock (_gate)
        {
            _joined++;
            _peak = Math.Max(_peak, ++_lanes);
        }
    }

    /// <summary>A lane is closed; gives how many are left.</summary>
    public int RemoveLane()
    {
        lock (_gate) return --_lanes;
    }

    /// <summary>Receives an archive, unless safe already. Where the archive is still arriving over another lane, that lane was lost, and
    /// this one takes over.</summary>
    /// <exception cref="TransferException">The archive is incomplete, invalid, or can't be written here.</exception>
    public async ValueTask<ArchiveReceipt> ReceiveAsync(ArchiveBeginMessage begin, Stream archive, CancellationToken ct)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(ct, _abandoned.Token);
        var mine = new ArrivingArchive(end);
        lock (_gate) _begun = true;
        while (true)
        {
            ArrivingArchive? other;
            lock (_gate)
            {
                Forget(begin.SettledBelow);
                if (_receipts.TryGetValue(begin.Index, out var known)) return known;
                // A late archive of a lane that was given up has long arrived over another, and may be older than that version.
                if (begin.Index < _forgotten || _finish is not null)
                    throw new TransferException(TransferError.Lost, "The archive was settled before it came over this lane.");
                if (!_arriving.TryGetValue(begin.Index, out other))
                {
                    _arriving.Add(begin.Index, mine);
                    break;
                }
            }
            await other.GiveWayAsync().ConfigureAwait(false);
        }
        try
        {
            var receipt = await _sink.ReceiveAsync(begin.Index, archive, end.Token).ConfigureAwait(false);
            lock (_gate)
            {
                Remember(begin.Index, receipt);
                _refused.Remove(begin.Index);
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
            lock (_gate) Refuse(begin.Index, error);
            throw error;
        }
        finally
        {
            lock (_gate) _arriving.Remove(begin.Index);
            mine.MarkEnded();
        }
    }

    /// <summary>Ends the job at the sender's request; a repeated request, after a lost answer, gets the same answer.</summary>
    /// <param name="givenUp">The number of unconfirmed archives that the sender gave up.</param>
    public async ValueTask<JobDoneMessage> EndAsync(long givenUp)
    {
        Task finish;
        lock (_gate) finish = _finish ??= Task.Run(() => FinishAsync(givenUp));
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

    /// <summary>Breaks the job off: the sender did not return, or the receiver stops.</summary>
    public async ValueTask AbandonAsync(Exception reason)
    {
        Task? finish;
        lock (_gate)
        {
            if (_givenUp) return;
            _givenUp = true;
            finish = _finish;
        }
        if (finish is not null)
        {
            await finish.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            Close();
        }
        if (_over.TrySetException(reason))
        {
            _ = _over.Task.Exception; // marked as observed, since the task may have no waiter
            await _abandoned.CancelAsync().ConfigureAwait(false);
            await WhenQuietAsync().ConfigureAwait(false);
            await _sink.DisposeAsync().ConfigureAwait(false);
        }
        _abandoned.Dispose();
    }

    /// <summary>The receiver stops.</summary>
    public ValueTask DisposeAsync() => AbandonAsync(new TransferConnectionException(TransferError.Lost, "The receiver was stopped."));

    private async Task FinishAsync(long givenUp)
    {
        try
        {
            await WhenQuietAsync().ConfigureAwait(false);
            try
            {
                await _sink.FinishAsync(Lost(givenUp), _abandoned.Token).ConfigureAwait(false);
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

    // Called under the lock. The number comes from the sender: it may not cost more than there are receipts.
    private void Forget(long below)
    {
        if (below - _forgotten > _receipts.Count)
        {
            foreach (var index in _receipts.Keys.Where(index => index < below).ToList()) Drop(index);
        }
        else
        {
            for (var index = _forgotten; index < below; index++) Drop(index);
        }
        _forgotten = Math.Max(_forgotten, below);
    }

    // Called under the lock. An honest sender settles archives. The oldest receipts are dropped; those archives, if sent again, are treated
    // as by a restarted receiver.
    private void Remember(long index, ArchiveReceipt receipt)
    {
        _receipts[index] = receipt;
        _remembered += WeightOf(receipt);
        while (_remembered > MostRemembered && _receipts.Count > 1) Drop(_receipts.Keys.Min());
    }

    private void Drop(long index)
    {
        if (!_receipts.Remove(index, out var receipt)) return;
        _remembered -= WeightOf(receipt);
        _sink.Forget(index);
    }

    // Called under the lock, while the archive is still in line: so no other lane has delivered the archive, even if the sender has given
    // the archive up and counts it as settled.
    private void Refuse(long index, TransferException error)
    {
        if (_refused.Count < MostRefused || _refused.ContainsKey(index)) _refused[index] = error;
    }

    private List<LostArchive> Lost(long givenUp)
    {
        if (givenUp == 0) return [];
        List<LostArchive> lost;
        lock (_gate) lost = [.. _refused.OrderBy(pair => pair.Key).Select(pair => new LostArchive(pair.Key, pair.Value))];
        var others = givenUp - lost.Count;
        if (others > 0)
        {
            lost.Add(
                new LostArchive(null,
                    new TransferException(TransferError.Lost, $"The sender gave up {others} archives that had not come.")));
        }

        return lost;
    }

    private static long WeightOf(ArchiveReceipt receipt) => 1 + receipt.Failures.Count + receipt.Skipped.Count;

    private JobResult Result() => _sink.Tally.ToResult(_time.GetElapsedTime(_started), _peak);
}
