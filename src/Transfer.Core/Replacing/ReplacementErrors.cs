namespace Transfer.Replacing;

/// <summary>The errors of a replacement that do not come from a reply.</summary>
/// <param name="renaming">The renaming.</param>
internal sealed class ReplacementErrors(Renaming renaming)
{
    private string Target => renaming.To;

    // The file as the caller knows it.
    private string Asked => renaming.IsTemporary ? Target : renaming.From;

    /// <summary>Returns the name of the source for messages.</summary>
    /// <param name="source">The present path.</param>
    public string NameOf(string source) => renaming.IsTemporary ? "its unfinished file" : source;

    public TransferException Missing(string source) => renaming.IsTemporary
        ? new(TransferError.NotFound, $"{Target}: {NameOf(source)} does not exist.") { RemotePath = Target }
        : new(TransferError.NotFound, $"{source} does not exist.") { RemotePath = source };

    /// <summary>Makes a refusal name the caller's path instead of the internal name of an unfinished file or an aside.</summary>
    public TransferException? WithCallersPath(TransferException? error, ReplacementStep.Rename rename)
    {
        if (error?.RemotePath is not { } path || path == Target || path == renaming.From && !renaming.IsTemporary) return error;
        var asked = rename.Original ?? Target;
        return error.WithMessage(error.Message.Replace(path, asked, StringComparison.Ordinal), asked);
    }

    public TransferException InTheWay(NameState state) =>
        new(TransferError.Exists,
            state == NameState.Directory ? $"{Target} is a folder, and in the way." : $"{Target} exists.")
        { RemotePath = Target };

    public TransferException LedTo() =>
        new(TransferError.Exists, $"{renaming.From} is a link, and may lead to {Target}: a link to itself would be left of that file.")
        { RemotePath = Target };

    public TransferException NotSeen(TransferException? refusal) =>
        new(refusal?.Error ?? TransferError.Denied, $"{Target} cannot be looked at, and may exist: it stays as it is.{Because(refusal)}",
            refusal)
        {
            RemotePath = Target,
            ServerCode = refusal?.ServerCode,
        };

    public TransferException Differs(long found, long sent) =>
        new(TransferError.Integrity, $"{Target}: {sent} bytes were sent, and {found} are there.") { RemotePath = Target };

    public TransferException NoRename(TransferException? refusal, bool needsDirectPublish) =>
        new(TransferError.Unsupported, $"{Asked}: the server does not rename files.{Because(refusal)}", refusal)
        {
            RemotePath = Asked,
            ServerCode = refusal?.ServerCode,
            NeedsDirectPublish = needsDirectPublish,
        };

    /// <summary>The error when neither the old nor the new content could get the name.</summary>
    public TransferException NotPutBack(TransferException refusal, string aside, string source, string? earlier) =>
        new(refusal.Error,
            $"{refusal.Message} {Target} could not be put back either: its content is in {aside}, and the new content in {source}.",
            refusal)
        {
            RemotePath = Target,
            ServerCode = refusal.ServerCode,
            // A lost session may have moved a file aside after the wait for that had ended.
            Kept = earlier is not null && earlier != aside ? [aside, source, earlier] : [aside, source],
        };

    public static TransferException Stranded(TransferException error, AsideTrack aside) =>
        new(error.Error, $"{error.Message} {aside.Original} could not be put back either: it is {aside.Path} now.", error)
        {
            RemotePath = aside.Original,
            ServerCode = error.ServerCode,
            Kept = [aside.Path!],
        };

    private static string Because(TransferException? refusal) => refusal is null ? string.Empty : $" ({refusal.Message})";
}
