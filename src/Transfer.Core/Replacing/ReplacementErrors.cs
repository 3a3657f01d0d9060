namespace Transfer.Replacing;

/// <summary>Errors of a replacement that no reply stands for.</summary>
/// <param name="renaming">What is to be renamed.</param>
internal sealed class ReplacementErrors(Renaming renaming)
{
    private string Target => renaming.To;

    /// <summary>What messages call the source.</summary>
    /// <param name="source">Where it is now.</param>
    public string NameOf(string source) => renaming.IsTemporary ? "its unfinished file" : source;

    public TransferException Missing(string source) => renaming.IsTemporary
        ? new(TransferError.NotFound, $"{Target}: {NameOf(source)} does not exist.") { RemotePath = Target }
        : new(TransferError.NotFound, $"{source} does not exist.") { RemotePath = source };

    /// <summary>A refusal names the path that was asked for: the names of unfinished files, and of those moved aside, are ours.</summary>
    public TransferException? Named(TransferException? error, ReplacementStep.Rename rename)
    {
        if (error?.RemotePath is not { } path || path == Target || path == renaming.From && !renaming.IsTemporary) return error;
        var asked = rename.Original ?? Target;
        return error.WithMessage(error.Message.Replace(path, asked, StringComparison.Ordinal), asked);
    }

    public TransferException InTheWay(NameState state) =>
        new(TransferError.Exists, state == NameState.Directory ? $"{Target} is a folder, and in the way." : $"{Target} exists.") { RemotePath = Target };

    public TransferException NotSeen(TransferException? refusal) =>
        new(refusal?.Error ?? TransferError.Denied, $"{Target} cannot be looked at, and may exist: it stays as it is.{Because(refusal)}", refusal)
        {
            RemotePath = Target,
            ServerCode = refusal?.ServerCode,
        };

    public TransferException Differs(long found, long sent) =>
        new(TransferError.Integrity, $"{Target}: {sent} bytes were sent, and {found} are there.") { RemotePath = Target };

    public TransferException NoRename(TransferException? refusal, bool needsDirectPublish) =>
        new(TransferError.Unsupported, $"{Target}: the server does not rename files.{Because(refusal)}", refusal)
        {
            RemotePath = Target,
            ServerCode = refusal?.ServerCode,
            NeedsDirectPublish = needsDirectPublish,
        };

    /// <summary>The old content could not be put back under its name, nor could the new one get that.</summary>
    public TransferException NotPutBack(TransferException refusal, string aside, string source, string? earlier) =>
        new(refusal.Error, $"{refusal.Message} {Target} could not be put back either: its content is in {aside}, and the new content in {source}.", refusal)
        {
            RemotePath = Target,
            ServerCode = refusal.ServerCode,
            // A lost session may have moved a file aside before, and later than anybody waited for it.
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
