using Transfer.Ftp.Protocol;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>One work item in progress at a session.</summary>
internal sealed class FtpWork
{
    public FtpWork(WorkItem item, string path, string? temporaryPath)
    {
        Item = item;
        Path = path;
        TemporaryPath = temporaryPath;
    }

    public WorkItem Item { get; }

    /// <summary>The file's path in the server's form.</summary>
    public string Path { get; }

    /// <summary>The temporary path for writing, or null.</summary>
    public string? TemporaryPath { get; }

    /// <summary>The path for writing the content.</summary>
    public string Target => TemporaryPath ?? Path;

    public FtpWorkStage Stage { get; set; } = FtpWorkStage.Taken;

    /// <summary>Downloads: whether the file's length and time are requested in front of the transfer.</summary>
    public bool RequestsStamp { get; init; }

    /// <summary>
    /// Long downloads: whether the file's length and time are requested in front of the transfer and behind it, to be compared.
    /// </summary>
    public bool ComparesStamp { get; init; }

    /// <summary>Downloads: whether the file is read once more, since a look has shown a file that the server called absent.</summary>
    public bool IsRepeated { get; private init; }

    /// <summary>Whether the item's turn on the data connection has come.</summary>
    public bool Started { get; set; }

    /// <summary>
    /// Whether all wanted bytes are here while the server still sends: the transfer is to be cut, for which the item need not wait.
    /// </summary>
    public bool IsCut { get; set; }

    /// <summary>
    /// Uploads: the commands that look at a target which will have to be moved aside or must stay, sent with the checks; else empty.
    /// </summary>
    public IReadOnlyList<FtpCommand> TargetLook { get; init; } = [];

    /// <summary>Uploads that may replace a file: the permissions for the new file; else null.</summary>
    public FtpFileMode? Mode { get; init; }

    /// <summary>Uploads: whether the server does not set the wanted permissions.</summary>
    public bool LosesMode { get; set; }

    /// <summary>Uploads: the sight of the target; null: no look.</summary>
    public NameSight? TargetSeen { get; set; }

    /// <summary>Uploads with verified content: the way to the final name.</summary>
    public FtpNaming? Naming { get; set; }

    /// <summary>The number of content bytes moved.</summary>
    public long Bytes { get; set; }

    /// <summary>Whether all content was moved unchanged: only the server's replies are missing.</summary>
    public bool IsAllMoved { get; set; }

    public VerificationMode Verified { get; set; } = VerificationMode.Reply;

    /// <summary>The reason and file of a discard; null: not discarded.</summary>
    public FtpDiscard? Discarded { get; private set; }

    public FtpExchange? Exchange { get; set; }

    /// <summary>
    /// The pending replies to the commands in front: for downloads those that describe the file, for uploads that to MKD.
    /// </summary>
    public List<PendingReply> Announced { get; } = [];

    /// <summary>The pending replies of the present stage: SIZE and attributes, DELE, or the rename.</summary>
    public List<PendingReply> Pending { get; } = [];

    /// <summary>The outcome; null while the item is open.</summary>
    public WorkOutcome? Outcome { get; set; }

    /// <summary>Returns the same download as before its first command.</summary>
    public FtpWork Repeat() =>
        new(Item, Path, TemporaryPath) { RequestsStamp = RequestsStamp, ComparesStamp = ComparesStamp, IsRepeated = true };

    /// <summary>Fails the item once the temporary file is deleted.</summary>
    /// <param name="error">Why.</param>
    public void Discard(TransferException error) => Discard(error, Item.IsSegment ? null : Item.TemporaryPath, isNameRefused: false);

    /// <summary>Fails an item that was stored whole but could not get its name.</summary>
    /// <param name="result">The result of the replacement.</param>
    public void Refuse(ReplacementResult result) => Discard(result.Error!, result.Discard, isNameRefused: true);

    private void Discard(TransferException error, string? unfinished, bool isNameRefused)
    {
        if (Outcome is not null) return;
        Discarded = new FtpDiscard(error, unfinished, isNameRefused);
        Pending.Clear();
        // A file that other sessions write too is not deleted here.
        if (unfinished is null || Item.Kind == WorkKind.Download)
        {
            Outcome = new WorkOutcome.Failed(error)
            {
                Publishing = isNameRefused,
                MayLeavePart = TemporaryPath is null && Item.Kind == WorkKind.Upload && Exchange is { HasBegun: true }
            };
        }
        else
        {
            Stage = FtpWorkStage.Discarding;
        }
    }

    /// <summary>The outcome if the session is lost now.</summary>
    public WorkOutcome OutcomeIfLost(TransferException fault) => Stage switch
    {
        FtpWorkStage.Taken => new WorkOutcome.Untouched { Reason = fault },
        FtpWorkStage.Discarding =>
            new WorkOutcome.Failed(Discarded?.Error ?? fault)
            {
                MayLeaveTemporary = true,
                Publishing = Discarded is { IsNameRefused: true }
            },
        _ when Naming is { IsUnderWay: true } => new WorkOutcome.InDoubt(Publishing: true, fault),
        // A STOR once sent may have left a temporary file even before its turn; a RETR leaves nothing.
        _ when Item.Kind == WorkKind.Download && !Started => new WorkOutcome.Untouched { Reason = fault },
        _ => new WorkOutcome.InDoubt(Publishing: false, fault) { Moved = IsAllMoved && !MayBeOld ? Bytes : null },
    };

    // An upload under the final name. The server may announce the beginning behind the end of the content.
    private bool MayBeOld =>
        Item is { Kind: WorkKind.Upload, Replace: true } && TemporaryPath is null && Exchange is not { HasBegun: true };
}
