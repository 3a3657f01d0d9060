using System.Threading.Channels;
using Microsoft.Extensions.Logging;

namespace Transfer.Batch.Carriers.Link;

/// <summary>The archives of a job on the sending side: fetched, carried, settled. Thread-safe.</summary>
internal sealed class SendingJob : IDisposable
{
    private readonly IArchiveSource _source;
    private readonly RetryOptions _retry;
    private readonly ILogger _logger;
    private readonly Channel<CarriedArchive> _ready = Channel.CreateUnbounded<CarriedArchive>();
    private readonly SemaphoreSlim _room;
    private readonly Lock _gate = new();
    private readonly SortedSet<long> _open = [];
    private readonly HashSet<CarriedArchive> _underWay = [];
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private TaskCompletionSource _change = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _fetched;
    private long _next; // above all numbers given out
    private long _confirmed;
    private long _givenUp;
    private int _retries;
    private bool _all; // all archives are fetched
    private bool _ending; // a lane is ending the job at the receiver
    private ulong? _instance;

    /// <param name="id">The job's number.</param>
    /// <param name="source">The archives.</param>
    /// <param name="ahead">The archives fetched before a lane takes them, plans and not bytes: each lane begins when there is one for it,
    /// so as many as there may be lanes.</param>
    /// <param name="retry">How often an archive is carried.</param>
    /// <param name="logger">Logs the archives that are carried again.</param>
    public SendingJob(byte[] id, IArchiveSource source, int ahead, RetryOptions retry, ILogger logger)
    {
        _room = new SemaphoreSlim(ahead);
        Id = id;
        _source = source;
        _retry = retry;
        _logger = logger;
    }

    public byte[] Id { get; }

    /// <summary>See <see cref="LinkCarrierOptions.Finish"/>.</summary>
    public CancellationToken Finish { get; init; }

    /// <summary>Completes when the receiver knows that the job has ended; fails with an error that makes the job pointless.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Whether every archive is confirmed or given up, and there are no more.</summary>
    public bool IsSettled
    {
        get { lock (_gate) return _all && _open.Count == 0; }
    }

    public int Retries => Volatile.Read(ref _retries);

    public long Confirmed
    {
        get { lock (_gate) return _confirmed; }
    }

    public long GivenUp
    {
        get { lock (_gate) return _givenUp; }
    }

    /// <summary>The number below which all archives are settled.</summary>
    public long SettledBelow
    {
        get { lock (_gate) return _open.Count > 0 ? _open.Min : _next; }
    }

    /// <summary>Fetches archives until there are no more. A failure reaches the caller first.</summary>
    public async Task FetchAsync(CancellationToken ct)
    {
        while (true)
        {
            await _room.WaitAsync(ct).ConfigureAwait(false);
            bool last;
            lock (_gate) last = _open.Count == 0;
            var archive = await _source.NextAsync(ct).ConfigureAwait(false);
            if (archive is not null)
            {
                Add(new CarriedArchive(archive));
                continue;
            }
            _room.Release();
            if (last) break;

            // Files that changed while being packed may come again, in an archive that is not fetched yet.
            await WhenAsync(() => _open.Count == 0, ct).ConfigureAwait(false);
        }
        lock (_gate) _all = true;
        _ready.Writer.TryComplete();
        Changed();
    }

    /// <summary>Waits until a number of archives has been fetched; false: there are fewer.</summary>
    public async ValueTask<bool> HasFetchedAsync(int count, CancellationToken ct)
    {
        await WhenAsync(() => _all || _fetched >= count, ct).ConfigureAwait(false);
        lock (_gate) return _fetched >= count;
    }

    /// <summary>An archive to carry; null: all are settled.</summary>
    public async ValueTask<CarriedArchive?> TakeAsync(CancellationToken ct)
    {
        while (await _ready.Reader.WaitToReadAsync(ct).ConfigureAwait(false))
        {
            if (!_ready.Reader.TryRead(out var archive)) continue;
            if (archive.Attempts == 0) _room.Release();
            lock (_gate) _underWay.Add(archive);
            return archive;
        }
        return null;
    }

    public void Confirm(CarriedArchive archive, ReadOnlyMemory<byte> digest, long files)
    {
        if (!Settle(archive, confirmed: true)) return;
        try
        {
            archive.Archive.Confirm(
                new ArchiveReceipt(archive.Index, digest, files, [.. archive.Failures]) { Skipped = [.. archive.Skipped] });
        }
        finally
        {
            Done(archive);
        }
    }

    /// <summary>Fails an archive that can't be carried.</summary>
    public void Refuse(CarriedArchive archive, TransferException error)
    {
        if (!Settle(archive, confirmed: false)) return;
        try
        {
            archive.Archive.Fail(error);
        }
        finally
        {
            Done(archive);
        }
    }

    /// <summary>Returns an archive that did not get through, to be carried again by any lane, a limited number of times.</summary>
    public void GiveBack(CarriedArchive archive, TransferException reason)
    {
        if (archive.Attempts >= _retry.Attempts)
        {
            Refuse(archive, reason);
            return;
        }
        lock (_gate)
        {
            if (!_underWay.Remove(archive)) return;
        }
        Interlocked.Increment(ref _retries);
        Log.ArchiveRequeued(_logger, archive.Index, archive.Attempts, reason.Message);
        if (!_ready.Writer.TryWrite(archive)) archive.Archive.Fail(reason);
    }

    /// <summary>The receiver takes the job on.</summary>
    public void Accepted(ulong instance)
    {
        lock (_gate)
        {
            if (_instance is { } known && known != instance) Log.ReceiverRestarted(_logger);
            _instance = instance;
        }
    }

    /// <summary>Checks, when all is settled, that the job may be ended at the receiver: not if its sender will return with the
    /// rest.</summary>
    /// <exception cref="OperationCanceledException">The sender will return.</exception>
    public void ThrowIfUnfinished()
    {
        if (_source.HasPostponed) Finish.ThrowIfCancellationRequested();
    }

    /// <summary>Claims the task of ending the job at the receiver: true for one lane.</summary>
    public bool TryBeginEnd()
    {
        lock (_gate) return !_ending && (_ending = true);
    }

    /// <summary>Gives that task back: the lane was lost before the answer.</summary>
    public void EndFailed()
    {
        lock (_gate) _ending = false;
        Changed();
    }

    /// <summary>Waits until the job has ended, or the task of ending the job is free again: true then.</summary>
    public async ValueTask<bool> WhenEndIsFreeAsync(CancellationToken ct)
    {
        await WhenAsync(() => !_ending || _ended.Task.IsCompleted, ct).ConfigureAwait(false);
        return !_ended.Task.IsCompleted;
    }

    /// <summary>The receiver knows.</summary>
    public void End()
    {
        _ended.TrySetResult();
        Changed();
    }

    /// <summary>Fails the open archives when nothing more can be done.</summary>
    public void Fail(TransferException error)
    {
        _ready.Writer.TryComplete();
        var left = new List<CarriedArchive>();
        while (_ready.Reader.TryRead(out var archive)) left.Add(archive);
        lock (_gate) _all = true;
        foreach (var archive in left)
        {
            lock (_gate) _underWay.Add(archive);
            Refuse(archive, error);
        }
    }

    public void Dispose() => _room.Dispose();

    private void Add(CarriedArchive archive)
    {
        lock (_gate)
        {
            _open.Add(archive.Index);
            _next = Math.Max(_next, archive.Index + 1);
            _fetched++;
        }
        if (!_ready.Writer.TryWrite(archive)) throw new TransferException(TransferError.Lost, "The job has ended.");
        Changed();
    }

    // Once each, even if a receiver repeats itself.
    private bool Settle(CarriedArchive archive, bool confirmed)
    {
        lock (_gate)
        {
            if (!_underWay.Remove(archive)) return false;
            if (confirmed) _confirmed++;
            else _givenUp++;
            return true;
        }
    }

    // After the source: further archives that the source makes of this one must exist before the job counts as done.
    private void Done(CarriedArchive archive)
    {
        lock (_gate) _open.Remove(archive.Index);
        Changed();
    }

    private void Changed()
    {
        TaskCompletionSource change;
        lock (_gate) (change, _change) = (_change, new(TaskCreationOptions.RunContinuationsAsynchronously));
        change.SetResult();
    }

    private async ValueTask WhenAsync(Func<bool> condition, CancellationToken ct)
    {
        while (true)
        {
            Task change;
            lock (_gate)
            {
                if (condition()) return;
                change = _change.Task;
            }
            await change.WaitAsync(ct).ConfigureAwait(false);
        }
    }
}
