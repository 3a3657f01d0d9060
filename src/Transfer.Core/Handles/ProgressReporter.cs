using Transfer.Diagnostics;
using Transfer.Handles;
using Transfer.Sessions;

namespace Transfer.Companions;

/// <summary>
/// Counts the content that a job moves, and reports the counts to the application about ten times a second, and once more at the end. An
/// exception of the application's handler ends the job and surfaces there. Thread-safe.
/// </summary>
public sealed class ProgressReporter : IAsyncDisposable
{
    internal static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(100);

    private readonly IProgress<TransferProgress>? _progress;
    private readonly Action<Exception> _onFault;
    private readonly RateWindow? _byteRate;
    private readonly RateWindow? _fileRate;
    private readonly ITimer? _timer;
    private readonly Lock _reporting = new();
    private readonly Lock _planning = new();
    private long _bytes;
    private long _files;
    private Int128 _plannedBytes; // exact: files leave the sum again
    private long _plannedFiles;
    private bool _lengthMissing;
    private bool _planned;
    private TransferProgress _last;
    private bool _ended;

    /// <summary>Begins to report.</summary>
    /// <param name="progress">The application's handler, if any.</param>
    /// <param name="time">The clock.</param>
    /// <param name="onFault">Receives the exception of a handler that throws; no more is reported then.</param>
    public ProgressReporter(IProgress<TransferProgress>? progress, TimeProvider time, Action<Exception> onFault)
    {
        _progress = progress;
        _onFault = onFault;
        if (progress is null) return;
        _byteRate = new RateWindow(time);
        _fileRate = new RateWindow(time);
        _timer = time.CreateTimer(static self => ((ProgressReporter)self!).Tick(), this, Interval, Interval);
    }

    /// <summary>Begins to report.</summary>
    /// <param name="progress">The application's handler, if any.</param>
    /// <param name="time">The clock.</param>
    /// <param name="stop">Is cancelled when the handler throws; <see cref="Fault"/> is the exception then.</param>
    public ProgressReporter(IProgress<TransferProgress>? progress, TimeProvider time, CancellationTokenSource stop)
        : this(progress, time, _ => stop.CancelAsync())
    {
    }

    /// <summary>The exception that the handler threw; null: none.</summary>
    public Exception? Fault { get; private set; }

    /// <summary>The meter that counts content in <see cref="TransferTelemetry.Io"/> too, for content that no client moves. Null: clients
    /// move the content, and have counted it.</summary>
    public ServerMeter? Meter { get; init; }

    /// <summary>The direction of the content, for <see cref="Meter"/>.</summary>
    public WorkKind Direction { get; init; }

    /// <summary>Counts bytes that moved; negative: those of a failed attempt.</summary>
    public void Moved(long bytes)
    {
        Interlocked.Add(ref _bytes, bytes);
        if (bytes > 0) Meter?.Moved(Direction, bytes);
    }

    /// <summary>Counts a file that arrived.</summary>
    public void FileDone() => Interlocked.Increment(ref _files);

    /// <summary>Adds a file to the totals.</summary>
    /// <param name="length">The length in bytes; null: not known.</param>
    public void Plan(long? length)
    {
        Interlocked.Increment(ref _plannedFiles);
        if (length is { } known) AddPlanned(known);
        else Volatile.Write(ref _lengthMissing, true);
    }

    /// <summary>Takes a file from the totals that failed or was skipped after all.</summary>
    /// <param name="length">The length, as added.</param>
    public void Unplan(long? length)
    {
        Interlocked.Decrement(ref _plannedFiles);
        if (length is { } known) AddPlanned(-known);
    }

    /// <summary>Reports the totals from now on: all files are known.</summary>
    public void PlanComplete() => Volatile.Write(ref _planned, true);

    /// <summary>Reports for the last time.</summary>
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

    private long PlannedBytes
    {
        get { lock (_planning) return long.CreateSaturating(_plannedBytes); }
    }

    private void AddPlanned(long bytes)
    {
        lock (_planning) _plannedBytes += bytes;
    }

    private void Tick()
    {
        // A handler slower than the clock misses ticks, and is never called twice at once.
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
            TotalBytes = planned && !Volatile.Read(ref _lengthMissing) ? PlannedBytes : null,
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
