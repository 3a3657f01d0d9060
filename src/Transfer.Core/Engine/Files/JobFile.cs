using Transfer.Contents;
using Transfer.Engine.Segments;
using Transfer.Journal;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>
/// One file of a job, or a segment of one, on its way: what is to be done, what has been tried, and what the server's refusals have
/// taught.
/// </summary>
internal sealed class JobFile
{
    /// <summary>From this length on, or where it is unknown, a file is taken alone.</summary>

    private CancellationTokenSource? _stop;
    private CancellationToken _given;

    /// <param name="spec">What is to be done.</param>
    /// <param name="content">What is moved.</param>
    public JobFile(FileSpec spec, EngineContent content)
    {
        Spec = spec;
        Content = content;
        Folder = spec.Folder;
        Publish = spec.Options.Publish;
    }

    public FileSpec Spec { get; }

    public EngineContent Content { get; }

    /// <summary>What has been tried.</summary>
    public FileAttempts Attempts { get; } = new();

    /// <summary>What of a larger file this is; null: all that is asked for.</summary>
    public FileSegment? Segment { get; init; }

    /// <summary>The range that this session moves: a segment, or the one that it reads for another server; null: all of it.</summary>
    public IContentRange? Range => Segment ?? Spec.ReadFor;

    public string Name => Spec.Name;

    public WorkKind Kind => Spec.Kind;

    public string RemotePath => Spec.RemotePath;

    /// <summary>How it is to be checked.</summary>
    public VerificationMode Verify => Spec.Options.Verify;

    /// <inheritdoc cref="FileSpec.Journaled"/>
    public JournaledFile? Journaled => Spec.Journaled;

    /// <summary>Uploads: the directory it goes into, as long as it is not known whether that is there.</summary>
    public string? Folder { get; set; }

    /// <summary>As the caller asked for, or under its own name where nothing can be renamed.</summary>
    public PublishMode Publish { get; set; }

    /// <summary>Uploads under the file's own name: that was certain to be free before, so that what fails half is the job's own.</summary>
    public bool IsNewByItself { get; set; }

    /// <summary>Such an upload was begun before: what is there now is a part of it.</summary>
    public bool HasPart { get; set; }

    /// <summary>It was divided once, and the server was not up to that.</summary>
    public bool Undivided { get; set; }

    /// <summary>Fires when the file, or its job, is given up.</summary>
    public CancellationToken Stop => Segment is null ? _given : Spec.Canceled;

    public bool ComesAlone => ExpectedLength is not <= EngineContent.Large;

    /// <summary>What will be moved, as far as that is known: for plans and progress.</summary>
    public long? ExpectedLength => Content.Length ?? Spec.RoughLength;

    public bool Replace => Spec.Overwrite is OverwriteMode.Always or OverwriteMode.Newer || HasPart;

    /// <summary>An earlier run's beginning of it can be continued in one piece: where that ends.</summary>
    public long? ContinuesAt => Segment is null && Kind == WorkKind.Upload && Journaled?.Continuation is { } continuation ? continuation.Holes[0].Start : null;

    /// <summary>It becomes a job's, which may be given up.</summary>
    public void Given(CancellationToken abort) =>
        _given = Spec.Canceled.CanBeCanceled ? (_stop = CancellationTokenSource.CreateLinkedTokenSource(Spec.Canceled, abort)).Token : abort;

    /// <summary>Nothing of it is under way any more.</summary>
    public void Ended() => _stop?.Dispose();
}
