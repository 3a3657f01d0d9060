namespace Transfer.Engine.Files;

/// <summary>The backup of what one file replaces: moved away once the new content is whole, right before that gets the name.</summary>
/// <param name="Folder">Where it goes.</param>
/// <param name="Path">The file's path relative to the job's folder.</param>
internal sealed record FileBackup(IBackupFolder Folder, string Path)
{
    private string? _moved;
    private bool _isTaken;

    /// <summary>Moves the old file away, the first time that it is asked.</summary>
    /// <exception cref="TransferException">It can't be moved, and must not be replaced.</exception>
    public async ValueTask TakeAsync(CancellationToken ct)
    {
        if (_isTaken) return;
        _moved = await Folder.TakeAsync(Path, ct).ConfigureAwait(false);
        _isTaken = true;
    }

    /// <summary>The new file has not got the name: the old one gets it back. Gives the error to report.</summary>
    public async ValueTask<TransferException> UndoAsync(TransferException error)
    {
        if (_moved is not { } backup) return error;
        if (await Folder.PutBackAsync(backup, Path).ConfigureAwait(false))
        {
            (_moved, _isTaken) = (null, false);
            return error;
        }
        return error.WithMessage($"{error.Message} The old file is {backup} now.");
    }
}
