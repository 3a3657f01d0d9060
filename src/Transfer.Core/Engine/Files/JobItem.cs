using Transfer.Contents;
using Transfer.Engine.Scheduling;
using Transfer.Journal;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>One attempt at a file, taken, moved and completed by a session.</summary>
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
        // The engine renames hashed files, and files that replace one with a backup, afterwards: for the session the temporary name is
        // final.
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
        Offset = file.Segment?.Start ?? file.ContinuesAt ?? file.Attempts.ContinueAt ?? file.Spec.Offset;
        End = file.Spec.End;
        IsSegment = file.Range is not null;
        if (!IsSegment && file is { Kind: WorkKind.Download, Spec.End: long.MaxValue, Verify: >= VerificationMode.Size })
            Announced = file.Attempts.SeenLength ?? file.Content.Length;
    }

    /// <summary>The job of the file.</summary>
    public Dispatcher Job { get; }

    public JobFile File { get; }

    /// <summary>
    /// The temporary name that the engine renames, of uploads that are hashed or replace a file with a backup.
    /// </summary>
    public string? Unpublished { get; }

    /// <summary>The hash of the bytes moved, once the session has moved all, where a hash is to be compared.</summary>
    public ContentHash? Hash { get; private set; }

    /// <summary>The bytes reported in this attempt.</summary>
    public long Reported => Volatile.Read(ref _reported);

    /// <summary>
    /// The time that the session needs for the rest of a segment, at the better of the last rates; null: not known, as the rate may still
    /// rise.
    /// </summary>
    public TimeSpan? TimeLeft =>
        File.Segment?.Pace is { IsSettled: true, BetterRate: > 0 and var better }
        ? TimeSpan.FromSeconds(Math.Max(0, End - Offset - Reported) / better)
        : null;

    /// <summary>The bytes that have not been moved.</summary>
    public long BytesLeft => Math.Max(0, End - Offset - Reported);

    /// <summary>
    /// Whether the session was given up for a standstill or slowness: other sessions have the item now, and the fault is not the file's.
    /// </summary>
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

    /// <summary>Records that the session has moved the part.</summary>
    public void ConfirmAll(long bytes) => Journaled?.Confirmed(Offset, Offset + bytes, isLast: true);

    public override int? Window => File.Segment?.Whole.Window;

    public override void PreparedFor(TimeSpan took) => File.Segment?.Pace.PreparedFor(took);

    public override void Report(long bytes)
    {
        File.Segment?.Moved(bytes);
        if (Interlocked.Add(ref _reported, bytes) == bytes && !IsSegment) Job.FileBegun();
        _source.Report(this, bytes);
    }

    public override void Complete(WorkOutcome outcome)
    {
        ArgumentNullException.ThrowIfNull(outcome);
        if (!TryComplete(outcome)) throw new InvalidOperationException($"{Path} was completed twice.");
    }

    /// <summary>Completes the item; false when the session has done so already.</summary>
    public bool TryComplete(WorkOutcome outcome)
    {
        if (Interlocked.Exchange(ref _completed, 1) != 0) return false;
        if (Content is HashedContent hashed)
        {
            if (outcome is WorkOutcome.Done or WorkOutcome.InDoubt { Moved: not null }) Hash = hashed.Finish();
            hashed.Dispose();
        }
        if (Kind == WorkKind.Upload && outcome is not WorkOutcome.Done) Journaled?.Interrupted(Offset);
        _source.Completed(this, outcome);
        return true;
    }

    private static IContent ContentOf(Dispatcher job, JobFile file)
    {
        var content = new FlowContent(job.Flow, file.Content);
        return file.Verify == VerificationMode.Hash ? new HashedContent(content, job.HashAlgorithm) : content;
    }
}
