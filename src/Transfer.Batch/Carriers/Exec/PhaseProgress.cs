namespace Transfer.Batch.Carriers.Exec;

/// <summary>The progress of a batch and of what goes on its own behind it, as one.</summary>
internal sealed class PhaseProgress : IProgress<TransferProgress>
{
    private readonly IProgress<TransferProgress> _inner;
    private TransferProgress _before;
    private TransferProgress _now;

    public PhaseProgress(IProgress<TransferProgress> inner) => _inner = inner;

    /// <summary>What follows counts behind what was told.</summary>
    public void Next() => _before = _now;

    public void Report(TransferProgress value)
    {
        _now = value with
        {
            Bytes = _before.Bytes + value.Bytes,
            Files = _before.Files + value.Files,
            TotalBytes = value.TotalBytes + _before.Bytes,
            TotalFiles = value.TotalFiles + _before.Files,
        };
        _inner.Report(_now);
    }
}
