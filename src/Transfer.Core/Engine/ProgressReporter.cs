namespace Transfer.Engine;

/// <summary>
/// Counts what a job moves and tells the application about ten times a second, and once more at the end. What the
/// application's handler throws ends the job and surfaces there.
/// </summary>
internal sealed class ProgressReporter : IAsyncDisposable
{
    internal static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(100);

    private readonly IProgress<TransferProgress>? _progress;
    private readonly Action<Exception> _onFault;
    private readonly RateWindow? _byteRate;
    private readonly RateWindow? _fileRate;
    private readonly ITimer? _timer;
    private readonly Lock _reporting = new();
    private long _bytes;
    private long _files;
    private long _plannedBytes;
    private long _plannedFiles;
    private bool _lengthMissing;
    private bool _planned;
    private TransferProgress _last;
    private bool _ended;

    /// <param name="progress">The application's handler, if any.</param>
    /// <param name="time">The clock.</param>
    /// <param name="onFault">Gets what the handler throws.</param>
    public ProgressReporter(IProgress<TransferProgress>? progress, TimeProvider time, Action<Exception> onFault)
    {
        _progress = progress;
        _onFault = onFault;
        if (progress is null) return;
        _byteRate = new RateWindow(time);
        _fileRate = new RateWindow(time);
        _timer = time.CreateTimer(static self => ((ProgressReporter)self!).Tick(), this, Interval, Interval);
    }

    /// <param name="progress">The application's handler, if any.</param>
    /// <param name="time">The clock.</param>
    /// <param name="stop">Ends the job when the handler throws; <see cref="Fault"/> is then what.</param>
    public ProgressReporter(IProgress<TransferProgress>? progress, TimeProvider time, CancellationTokenSource stop)
        : this(progress, time, _ => stop.CancelAsync())
    {
    }

    /// <summary>What the handler has thrown; null: nothing.</summary>
    public Exception? Fault { get; private set; }

    /// <summary>Bytes moved (or taken back, for an attempt that came to nothing).</summary>
    public void Moved(long bytes) => Interlocked.Add(ref _bytes, bytes);

    /// <summary>A file arrived.</summary>
    public void FileDone() => Interlocked.Increment(ref _files);

    /// <summary>A file will be moved.</summary>
    public void Plan(long? length)
    {
        Interlocked.Increment(ref _plannedFiles);
        if (length is { } known) Interlocked.Add(ref _plannedBytes, known);
        else Volatile.Write(ref _lengthMissing, true);
    }

    /// <summary>A planned file failed or was skipped after all: the totals shrink to what can still come.</summary>
    public void Unplan(long? length)
    {
        Interlocked.Decrement(ref _plannedFiles);
        if (length is { } known) Interlocked.Add(ref _plannedBytes, -known);
    }

    /// <summary>All files are known: so are the totals.</summary>
    public void PlanComplete() => Volatile.Write(ref _planned, true);

    /// <summary>Stops the clock and reports for the last time.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_timer is null) return;
        await _timer.DisposeAsync().ConfigureAwait(false);
        lock (_reporting)
        {
            if (_ended) return;
            _ended = true;
            Report(final: true);
        }
    }

    private void Tick()
    {
        // A handler that is slower than the clock misses ticks; it is never called twice at once.
        if (!_reporting.TryEnter()) return;
        try
        {
            if (!_ended) Report(final: false);
        }
        finally
        {
            _reporting.Exit();
        }
    }

    private void Report(bool final)
    {
        var bytes = Interlocked.Read(ref _bytes);
        var files = Interlocked.Read(ref _files);
        var planned = Volatile.Read(ref _planned);
        var progress = new TransferProgress
        {
            Bytes = bytes,
            TotalBytes = planned && !Volatile.Read(ref _lengthMissing) ? Interlocked.Read(ref _plannedBytes) : null,
            Files = files,
            TotalFiles = planned ? Interlocked.Read(ref _plannedFiles) : null,
            BytesPerSecond = _byteRate!.Add(bytes),
            FilesPerSecond = _fileRate!.Add(files),
        };
        if (!final && progress == _last) return;
        _last = progress;
        try
        {
            _progress!.Report(progress);
        }
        catch (Exception e)
        {
            _ended = true;
            Fault = e;
            _onFault(e);
        }
    }
}
