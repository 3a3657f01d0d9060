using Transfer.Contents;
using Transfer.Engine.Scheduling;
using Transfer.Journal;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>One attempt at a file: what a session takes, moves and completes.</summary>
internal sealed class JobItem : WorkItem
{
    private readonly WorkerSource _source;
    private long _reported;
    private int _completed;

    public JobItem(WorkerSource source, Dispatcher job, JobFile file, string? temporaryPath)
        : base(file.Kind, file.Spec.IsNamedLater && temporaryPath is not null ? temporaryPath : file.RemotePath, ContentOf(job, file))
    {
        _source = source;
        Job = job;
        File = file;
        // What is hashed, or replaces what goes to a backup, gets its name from the engine, afterwards: for the session the temporary one is the file's.
        if (file.Spec.IsNamedLater) Unpublished = temporaryPath;
        else TemporaryPath = temporaryPath;
        if (Unpublished is not null) (LaterPath, ReplacesLater) = (file.RemotePath, file.Replace);
        if (file is { Kind: WorkKind.Upload, Segment.Whole.File: { } whole }) AskedPath = whole.RemotePath;
        Replace = Unpublished is null && file.Replace;
        MustSeeTarget = file.Spec.IsTargetUnseen;
        Verify = file.Verify;
        FlushToDisk = file.Spec.Options.FlushToDisk;
        Metadata = file.Spec.Metadata;
        SourceMode = file.Spec.SourceMode;
        IsNew = file.Spec.IsNew;
        WantsTime = file.Spec.WantsTime;
        Directory = file.Folder;
        Offset = file.Segment?.Start ?? file.ContinuesAt ?? file.Attempts.GoesOnAt ?? file.Spec.Offset;
        End = file.Spec.End;
        IsSegment = file.Range is not null;
        if (!IsSegment && file is { Kind: WorkKind.Download, Spec.End: long.MaxValue, Verify: >= VerificationMode.Size }) Announced = file.Attempts.GrownTo ?? file.Content.Length;
    }

    /// <summary>Whose file it is.</summary>
    public Dispatcher Job { get; }

    public JobFile File { get; }

    /// <summary>Uploads whose hash is to be compared, or that replace what goes to a backup: the temporary name that the session writes under, and the engine renames.</summary>
    public string? Unpublished { get; }

    /// <summary>Once the session has moved all: the hash of it, where that is to be compared.</summary>
    public ContentHash? Hash { get; private set; }

    /// <summary>Bytes reported in this attempt.</summary>
    public long Reported => Volatile.Read(ref _reported);

    /// <summary>How long the session will need for what has not come of a segment yet, at the better of its last rates; null: not known, as it may still get faster.</summary>
    public TimeSpan? TimeLeft => File.Segment?.Pace is { IsSettled: true, Rate: { } rate } pace && Math.Max(rate, pace.RateBefore) is > 0 and var better
        ? TimeSpan.FromSeconds(Math.Max(0, End - Offset - Reported) / better)
        : null;

    /// <summary>The session stood still, or was too slow, and was given up: others have the item now, and it is not the file's fault.</summary>
    public bool IsGivenUp { get; set; }

    public override long End
    {
        get => File.Range?.End ?? base.End;
        init => base.End = value;
    }

    public override CancellationToken Canceled => File.Stop;

    private JournaledFile? Journaled => (File.Segment?.Whole.File ?? File).Journaled;

    public override IAsideLog Asides => Job.Owner.Asides;

    public override int Claim(long offset, int count) => File.Range?.Claim(offset, count) ?? base.Claim(offset, count);

    public override void Confirm(long end) => Journaled?.Confirmed(Offset, end, isLast: false);

    /// <summary>The session has ended its part well: all of it is there.</summary>
    public void ConfirmAll(long bytes) => Journaled?.Confirmed(Offset, Offset + bytes, isLast: true);

    public override void PreparedFor(TimeSpan took) => File.Segment?.Pace.PreparedFor(took);

    public override void Report(long bytes)
    {
        File.Segment?.Moved(bytes);
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
        if (Content is HashedContent hashed)
        {
            if (outcome is WorkOutcome.Done or WorkOutcome.InDoubt { Moved: not null }) Hash = hashed.Finish();
            hashed.Dispose();
        }
        _source.Completed(this, outcome);
        return true;
    }

    private static IContent ContentOf(Dispatcher job, JobFile file)
    {
        var content = new FlowContent(job.Flow, file.Content);
        return file.Verify == VerificationMode.Hash ? new HashedContent(content, job.HashAlgorithm) : content;
    }
}
