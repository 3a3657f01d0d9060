using Transfer.Contents;
using Transfer.Engine.Segments;
using Transfer.Journal;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>
/// One file of a job, or a segment of one, on its way: the task, the attempts, and the facts learnt from the server's refusals.
/// </summary>
internal sealed class JobFile
{
    private CancellationTokenSource? _stop;
    private CancellationToken _given;

    /// <param name="spec">The task.</param>
    /// <param name="content">The content to move.</param>
    public JobFile(FileSpec spec, EngineContent content)
    {
        Spec = spec;
        Content = content;
        Folder = spec.Folder;
        Publish = spec.Options.Publish;
    }

    public FileSpec Spec { get; }

    public EngineContent Content { get; }

    /// <summary>The attempts made.</summary>
    public FileAttempts Attempts { get; } = new();

    /// <summary>The segment of a larger file; null: the whole range of the task.</summary>
    public FileSegment? Segment { get; init; }

    /// <summary>The range that this session moves: a segment, or the range read for another server; null: all.</summary>
    public IContentRange? Range => Segment ?? Spec.ReadFor;

    public string Name => Spec.Name;

    public WorkKind Kind => Spec.Kind;

    public string RemotePath => Spec.RemotePath;

    /// <summary>The check of the moved file.</summary>
    public VerificationMode Verify => Spec.Options.Verify;

    /// <inheritdoc cref="FileSpec.Journaled"/>
    public JournaledFile? Journaled => Spec.Journaled;

    /// <summary>Uploads: the directory of the file, as long as not known to exist.</summary>
    public string? Folder { get; set; }

    /// <summary>The caller's publish mode, or direct where no file can be renamed.</summary>
    public PublishMode Publish { get; set; }

    /// <summary>
    /// Uploads under the final name: whether that was certain to be free before, so that a partial file is the job's own.
    /// </summary>
    public bool WasNameFree { get; set; }

    /// <summary>Whether an earlier attempt at such an upload was begun: a file there now is a part of this one.</summary>
    public bool HasPartialFile { get; set; }

    /// <summary>Whether the file was divided once, and the server could not handle that.</summary>
    public bool MustStayWhole { get; set; }

    /// <summary>Fires when the file, or the job, is given up.</summary>
    public CancellationToken Stop => Segment is null ? _given : Spec.Canceled;

    /// <summary>Whether a session takes the file alone: a large one, or one of unknown length.</summary>
    public bool IsTakenAlone => ExpectedLength is not <= EngineContent.LargeLength;

    /// <summary>The number of bytes to move, as far as known: for plans and progress.</summary>
    public long? ExpectedLength => Content.Length ?? Spec.RoughLength;

    public bool Replace => Spec.Overwrite is OverwriteMode.Always or OverwriteMode.Newer || HasPartialFile;

    /// <summary>The end of an earlier run's partial file, where that can be continued in one piece; else null.</summary>
    public long? ContinuesAt =>
        Segment is null && Kind == WorkKind.Upload && Journaled?.Continuation is { } continuation ? continuation.Holes[0].Start : null;

    /// <summary>The first byte that the last attempt had to move of a partial file; 0: none was continued.</summary>
    public long ResumedAt => Journaled?.Continuation?.Holes[0].Start ?? Attempts.ContinueAt ?? 0;

    /// <summary>Hands the file to a job; the job's abort cancels the file too.</summary>
    public void Attach(CancellationToken abort) =>
        _given = Spec.Canceled.CanBeCanceled
            ? (_stop = CancellationTokenSource.CreateLinkedTokenSource(Spec.Canceled, abort)).Token : abort;

    /// <summary>Releases the file's means of cancellation, when no part of the file is under way any more.</summary>
    public void Ended() => _stop?.Dispose();
}
