using Microsoft.Extensions.Logging;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>
/// Watches a download that goes file by file. Where that takes long, the next files go by the host's tar, with nothing beside, and the rest
/// by the faster of the two ways. The walk of the folder goes on all the time, so that nothing is listed twice.
/// </summary>
internal sealed class DownloadTrial : IFileTaker, IProgress<ItemResult>
{
    private readonly IProgress<ItemResult>? _items;
    private readonly BatchItems _batch;
    private readonly TrialSizes _sizes;
    private readonly TimeProvider _time;
    private readonly Func<ListedFile, bool> _fits;
    private readonly Func<CancellationToken, Task<TarLanes?>> _prepare;
    private readonly ILogger _logger;
    private readonly Lock _gate = new();
    private readonly HashSet<string> _underWay = [];
    private readonly List<ListedFile> _tried = [];
    private readonly TaskCompletionSource<bool> _due = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _ready = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _decided = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Phase _phase;
    private WayShare _single;
    private TarTaker? _rest;
    private long _began;
    private long _lastEnd;
    private long _ended;
    private bool _isFull;
    private bool _isComplete;

    /// <param name="items">Receives the items that went file by file; null: not wanted.</param>
    /// <param name="batch">Receives the files that tar has left.</param>
    /// <param name="sizes">When a trial begins, and with how many files.</param>
    /// <param name="fits">Whether a file may go in a batch.</param>
    /// <param name="prepare">Prepares the host; null: no batch is possible there.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">The log.</param>
    public DownloadTrial(IProgress<ItemResult>? items, BatchItems batch, TrialSizes sizes, Func<ListedFile, bool> fits,
        Func<CancellationToken, Task<TarLanes?>> prepare, TimeProvider time, ILogger logger) =>
        (_items, _batch, _sizes, _fits, _prepare, _time, _logger) = (items, batch, sizes, fits, prepare, time, logger);

    private enum Phase
    {
        Singly,
        Trying,
        Batched,
        Over,
    }

    /// <summary>Counts the files in a batch.</summary>
    public required ProgressReporter Progress { private get; init; }

    /// <summary>Whether there was a trial.</summary>
    public bool HasTried { get; private set; }

    /// <summary>Whether the rest went in a batch.</summary>
    public bool IsBatched { get; private set; }

    public bool TakesMost => false;

    public async ValueTask<bool> TakeAsync(string path, long? length, DateTimeOffset? modified, CancellationToken cancellationToken)
    {
        var file = new ListedFile(path, length ?? 0, modified);
        var fits = length is not null && _fits(file);
        while (true)
        {
            lock (_gate)
            {
                switch (_phase)
                {
                    case Phase.Trying when fits && !_isFull:
                        _tried.Add(file);
                        _isFull = _tried.Count == _sizes.Files;
                        NoteReadyLocked();
                        return true;
                    case Phase.Singly or Phase.Trying when !_isFull:
                        if (_single.Files == 0) _began = _time.GetTimestamp();
                        _single = _single.With(file.Length);
                        _underWay.Add(path);
                        return false;
                    case Phase.Over:
                        return false;
                    default:
                        break;
                }
            }
            await _decided.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
            if (_rest is { } rest) return await rest.TakeAsync(path, length, modified, cancellationToken).ConfigureAwait(false);
        }
    }

    public void Complete()
    {
        lock (_gate)
        {
            (_isComplete, _isFull) = (true, true);
            _rest?.Complete();
            NoteReadyLocked();
        }
        _due.TrySetResult(false);
    }

    public void Report(ItemResult value)
    {
        lock (_gate)
        {
            if (_underWay.Remove(value.Path))
            {
                _lastEnd = _time.GetTimestamp();
                if (++_ended >= _sizes.Files && _time.GetElapsedTime(_began, _lastEnd) >= _sizes.After) _due.TrySetResult(true);
                NoteReadyLocked();
            }
        }
        _items?.Report(value);
    }

    /// <summary>Makes the trial when it is due, and fetches what goes in a batch. Returns when the walk has ended before, or when all that
    /// was taken has arrived or is left to <see cref="BatchItems.Rest"/>.</summary>
    /// <param name="stopping">Fires when nothing more is to begin.</param>
    /// <param name="ct">Cancels.</param>
    public async Task RunAsync(CancellationToken stopping, CancellationToken ct)
    {
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(stopping, ct);
        try
        {
            if (!await _due.Task.WaitAsync(ending.Token).ConfigureAwait(false)) return;
            if (await _prepare(ending.Token).ConfigureAwait(false) is not { } tar) return;
            lock (_gate)
            {
                // Too late: what is left are files under way.
                if (_isComplete) return;
                (_phase, HasTried) = (Phase.Trying, true);
            }
            if (!await IsFasterAsync(tar, ending.Token, ct).ConfigureAwait(false)) return;
            var line = tar.NewLine();
            lock (_gate)
            {
                (_phase, _rest, IsBatched) = (Phase.Batched, new TarTaker(line, _fits, Progress), true);
                if (_isComplete) line.Complete();
            }
            _decided.TrySetResult();
            await tar.RunAsync(line, ct).ConfigureAwait(false);
        }
        finally
        {
            lock (_gate)
            {
                if (_phase != Phase.Batched) _phase = Phase.Over;
                foreach (var file in _tried) _batch.AddToRest(file.Path);
                _underWay.Clear();
            }
            _decided.TrySetResult();
        }
    }

    // What goes file by file ends first: neither way slows down the other.
    private async ValueTask<bool> IsFasterAsync(TarLanes tar, CancellationToken ending, CancellationToken ct)
    {
        Log.Batched(_logger, BatchWay.Tar, tar.Count);
        await _ready.Task.WaitAsync(ending).ConfigureAwait(false);
        var singleTime = _time.GetElapsedTime(_began, _lastEnd);
        var line = tar.NewLine();
        var share = WayShare.Of(_tried);
        foreach (var file in _tried)
        {
            Progress.Plan(file.Length);
            await line.AddAsync(file, ct).ConfigureAwait(false);
        }
        line.Complete();
        _tried.Clear();
        var left = _batch.Rest.Count;
        var began = _time.GetTimestamp();
        await tar.RunAsync(line, ct).ConfigureAwait(false);
        var batchTime = _time.GetElapsedTime(began);
        Log.Tried(_logger, BatchWay.Tar, share.Files, batchTime.TotalSeconds, _single.Files, singleTime.TotalSeconds);
        return share.Files > 0
            && WayTrial.IsBatchFaster((_single, singleTime), (share, batchTime), tar.RoundTrip, _batch.Rest.Count - left);
    }

    private void NoteReadyLocked()
    {
        if (_phase == Phase.Trying && _isFull && _underWay.Count == 0) _ready.TrySetResult();
    }
}
