namespace Transfer.Batch.Carriers.Exec;

/// <summary>The progress of the phases of a job, one after the other, and of what goes on beside, as one. Thread-safe.</summary>
internal sealed class PhaseProgress : IProgress<TransferProgress>
{
    private static readonly TransferProgress None = new() { TotalBytes = 0, TotalFiles = 0 };

    private readonly IProgress<TransferProgress> _inner;
    private readonly Lock _gate = new();
    private TransferProgress _before = None;
    private TransferProgress _main = None;
    private TransferProgress _beside = None;

    public PhaseProgress(IProgress<TransferProgress> inner) => (_inner, Beside) = (inner, new BesideProgress(this));

    /// <summary>Receives the progress of what goes on beside the phase.</summary>
    public IProgress<TransferProgress> Beside { get; }

    /// <summary>Whether the phase is so small a part of the job that its totals are not the job's.</summary>
    public bool HidesTotals { get; set; }

    /// <summary>Begins the next phase, which adds to the counts reported before.</summary>
    public void Next()
    {
        lock (_gate)
        {
            var now = Sum(_before, Sum(_main, _beside));
            // What did not arrive is the next phase's.
            _before = new() { Bytes = now.Bytes, Files = now.Files, TotalBytes = now.Bytes, TotalFiles = now.Files };
            (_main, _beside) = (None, None);
        }
    }

    public void Report(TransferProgress value) => Report(value, null);

    private void Report(TransferProgress? main, TransferProgress? beside)
    {
        TransferProgress now;
        lock (_gate)
        {
            (_main, _beside) = (main ?? _main, beside ?? _beside);
            now = Sum(_before, Sum(_main, _beside));
            if (HidesTotals) now = now with { TotalBytes = null, TotalFiles = null };
        }
        _inner.Report(now);
    }

    private static TransferProgress Sum(TransferProgress one, TransferProgress other) => new()
    {
        Bytes = one.Bytes + other.Bytes,
        Files = one.Files + other.Files,
        TotalBytes = one.TotalBytes + other.TotalBytes,
        TotalFiles = one.TotalFiles + other.TotalFiles,
        BytesPerSecond = one.BytesPerSecond + other.BytesPerSecond,
        FilesPerSecond = one.FilesPerSecond + other.FilesPerSecond,
    };

    private sealed class BesideProgress(PhaseProgress whole) : IProgress<TransferProgress>
    {
        public void Report(TransferProgress value) => whole.Report(null, value);
    }
}
