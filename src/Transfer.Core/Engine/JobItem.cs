using Transfer.Engine.Journal;
using Transfer.Sessions;

namespace Transfer.Engine;

/// <summary>One attempt at a file: what a session takes, moves and completes.</summary>
internal sealed class JobItem : WorkItem
{
    private readonly WorkerSource _source;
    private long _reported;
    private int _completed;

    public JobItem(WorkerSource source, JobFile file, string? temporaryPath)
        : base(file.Kind, file.RemotePath, file.Content)
    {
        _source = source;
        File = file;
        TemporaryPath = temporaryPath;
        Replace = file.Replace;
        Verify = file.Verify;
        Metadata = file.Metadata;
        Offset = file.Segment?.Start ?? file.ContinuesAt ?? file.Offset;
        End = file.End;
        IsSegment = file.Segment is not null;
    }

    public JobFile File { get; }

    /// <summary>Bytes reported in this attempt.</summary>
    public long Reported => Volatile.Read(ref _reported);

    public override long End
    {
        get => File.Segment?.End ?? base.End;
        init => base.End = value;
    }

    public override CancellationToken Canceled => File.Canceled;

    private JournaledFile? Journaled => (File.Segment?.Whole.File ?? File).Journaled;

    public override int Claim(long offset, int count) => File.Segment?.Claim(offset, count) ?? base.Claim(offset, count);

    public override void Confirm(long end) => Journaled?.Confirmed(Offset, end, isLast: false);

    /// <summary>The session has ended its part well: all of it is there.</summary>
    public void ConfirmAll(long bytes) => Journaled?.Confirmed(Offset, Offset + bytes, isLast: true);

    public override void Report(long bytes)
    {
        File.Segment?.Pace.Moved(bytes);
        Interlocked.Add(ref _reported, bytes);
        _source.Report(this, bytes);
    }

    public override void Complete(WorkOutcome outcome)
    {
        ArgumentNullException.ThrowIfNull(outcome);
        if (!TryComplete(outcome)) throw new InvalidOperationException($"{Path} was completed twice.");
    }

    /// <summary>False when the session has completed it already.</summary>
    public bool TryComplete(WorkOutcome outcome)
    {
        if (Interlocked.Exchange(ref _completed, 1) != 0) return false;
        _source.Completed(this, outcome);
        return true;
    }
}
