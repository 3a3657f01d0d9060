namespace Transfer.Replacing;

// Errors that no reply stands for.
public sealed partial class Replacement
{
    private string SourceName => _renaming.IsTemporary ? "its unfinished file" : _source;

    private TransferException Missing() => _renaming.IsTemporary
        ? new(TransferError.NotFound, $"{Target}: {SourceName} does not exist.") { RemotePath = Target }
        : new(TransferError.NotFound, $"{_source} does not exist.") { RemotePath = _source };

    // A refusal names the path that was asked for: the names of unfinished files, and of those moved aside, are ours.
    private TransferException? Named(TransferException? error, ReplacementStep.Rename rename)
    {
        if (error?.RemotePath is not { } path || path == Target || path == _renaming.From && !_renaming.IsTemporary) return error;
        var asked = rename.Original ?? Target;
        return error.WithMessage(error.Message.Replace(path, asked, StringComparison.Ordinal), asked);
    }

    private TransferException InTheWay(NameState state) =>
        new(TransferError.Exists, state == NameState.Directory ? $"{Target} is a folder, and in the way." : $"{Target} exists.") { RemotePath = Target };

    private TransferException NotSeen() =>
        new(_refusal?.Error ?? TransferError.Denied, $"{Target} cannot be looked at, and may exist: it stays as it is.{Because(_refusal)}", _refusal)
        {
            RemotePath = Target,
            ServerCode = _refusal?.ServerCode,
        };

    private TransferException Differs(long found, long sent) =>
        new(TransferError.Integrity, $"{Target}: {sent} bytes were sent, and {found} are there.") { RemotePath = Target };

    private TransferException NoRename(TransferException? refusal) =>
        new(TransferError.Unsupported, $"{Target}: the server does not rename files.{Because(refusal)}", refusal)
        {
            RemotePath = Target,
            ServerCode = refusal?.ServerCode,
            NeedsDirectPublish = _isUnsupported,
        };

    private static string Because(TransferException? refusal) => refusal is null ? string.Empty : $" ({refusal.Message})";
}
