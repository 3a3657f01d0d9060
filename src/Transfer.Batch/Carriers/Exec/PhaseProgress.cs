namespace Transfer.Batch.Carriers.Exec;

/// <summary>The progress of a batch and of the single files after the batch, as one.</summary>
internal sealed class PhaseProgress : IProgress<TransferProgress>
{
    private readonly IProgress<TransferProgress> _inner;
    private TransferProgress _before;
    private TransferProgress _now;

    public PhaseProgress(IProgress<TransferProgress> inner) => _inner = inner;

    /// <summary>Whether the phase is so small a part of the job that its totals are not the job's.</summary>
    public bool HidesTotals { get; set; }

    /// <summary>Begins the next phase, which adds to the counts reported before.</summary>
    public void Next() => _before = _now;

    public void Report(TransferProgress value)
    {
        _now = value with
        {
            Bytes = _before.Bytes + value.Bytes,
            Files = _before.Files + value.Files,
            TotalBytes = HidesTotals ? null : value.TotalBytes + _before.Bytes,
            TotalFiles = HidesTotals ? null : value.TotalFiles + _before.Files,
        };
        _inner.Report(_now);
    }
}
