using Transfer.Ftp.Protocol;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>One work item on its way through a session.</summary>
internal sealed class FtpWork
{
    public FtpWork(WorkItem item, string path, string? temporaryPath)
    {
        Item = item;
        Path = path;
        TemporaryPath = temporaryPath;
    }

    public WorkItem Item { get; }

    /// <summary>The file's name as the server wants it.</summary>
    public string Path { get; }

    /// <summary>The name it is written under first, or null.</summary>
    public string? TemporaryPath { get; }

    /// <summary>Where the content goes.</summary>
    public string Target => TemporaryPath ?? Path;

    public FtpWorkStage Stage { get; set; } = FtpWorkStage.Taken;

    /// <summary>Downloads: the server is asked for its length and time in front of its transfer.</summary>
    public bool AsksStamp { get; init; }

    /// <summary>Its turn on the data connection has come.</summary>
    public bool Started { get; set; }

    /// <summary>What was wanted of its transfer is here, and the server still sends: it is to be ended, for which the item need not wait.</summary>
    public bool IsCut { get; set; }

    /// <summary>Uploads: what looks at the target together with the stored file, because the old file will have to be moved aside or must stay; else empty.</summary>
    public IReadOnlyList<FtpCommand> TargetLook { get; init; } = [];

    /// <summary>Uploads that may replace a file: what permissions they get; else null.</summary>
    public FtpFileMode? Mode { get; init; }

    /// <summary>Uploads: it was to have permissions that the server does not set.</summary>
    public bool LosesMode { get; set; }

    /// <summary>Uploads: what was found at the target; null: nobody looked.</summary>
    public NameSight? TargetSeen { get; set; }

    /// <summary>Uploads whose content is verified: how they get their names.</summary>
    public FtpNaming? Naming { get; set; }

    /// <summary>Content bytes moved.</summary>
    public long Bytes { get; set; }

    /// <summary>All of its content was moved, as it is here: only the server's last word is missing.</summary>
    public bool IsAllMoved { get; set; }

    public VerificationMode Verified { get; set; } = VerificationMode.Reply;

    /// <summary>Why it is being discarded; null: it is not.</summary>
    public FtpDiscard? Discarded { get; private set; }

    public FtpExchange? Exchange { get; set; }

    /// <summary>Downloads: the waiting replies that describe the file, if it was asked.</summary>
    public List<PendingReply> Announced { get; } = [];

    /// <summary>The waiting replies that belong to its present stage: SIZE and attributes, DELE, or the rename.</summary>
    public List<PendingReply> Pending { get; } = [];

    /// <summary>How it ended; null while it is open.</summary>
    public WorkOutcome? Outcome { get; set; }

    /// <summary>Ends it as failed, once its temporary file is deleted.</summary>
    /// <param name="error">Why.</param>
    public void Discard(TransferException error) => Discard(error, Item.IsSegment ? null : Item.TemporaryPath, isNameRefused: false);

    /// <summary>Ends it as failed: all of it was there, and could not get its name.</summary>
    /// <param name="result">How the replacement ended.</param>
    public void Refuse(ReplacementResult result) => Discard(result.Error!, result.Discard, isNameRefused: true);

    private void Discard(TransferException error, string? unfinished, bool isNameRefused)
    {
        if (Outcome is not null) return;
        Discarded = new FtpDiscard(error, unfinished, isNameRefused);
        Pending.Clear();
        // Of a file that others are at nothing is deleted here.
        if (unfinished is null || Item.Kind == WorkKind.Download) Outcome = new WorkOutcome.Failed(error) { Publishing = isNameRefused, MayLeavePart = TemporaryPath is null && Item.Kind == WorkKind.Upload && Exchange is { HasBegun: true } };
        else Stage = FtpWorkStage.Discarding;
    }

    /// <summary>How it ends when the session is lost now.</summary>
    public WorkOutcome WhenLost(TransferException fault) => Stage switch
    {
        FtpWorkStage.Taken => new WorkOutcome.Untouched(),
        FtpWorkStage.Discarding => new WorkOutcome.Failed(Discarded?.Error ?? fault) { MayLeaveTemporary = true, Publishing = Discarded is { IsNameRefused: true } },
        _ when Naming is { IsUnderWay: true } => new WorkOutcome.InDoubt(Publishing: true, fault),
        // A STOR that was sent may have left a temporary file even if its turn never came; a RETR leaves nothing.
        _ when Item.Kind == WorkKind.Download && !Started => new WorkOutcome.Untouched(),
        _ => new WorkOutcome.InDoubt(Publishing: false, fault) { Moved = IsAllMoved ? Bytes : null },
    };
}
