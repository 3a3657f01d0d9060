namespace Transfer.Engine.Files;

/// <summary>The backup of the file that an upload replaces: taken when the new content is whole, right before that gets the name.</summary>
/// <param name="Folder">The folder of the backup.</param>
/// <param name="Path">The file's path relative to the job's folder.</param>
internal sealed record FileBackup(IBackupFolder Folder, string Path)
{
    private string? _moved;
    private bool _isTaken;

    /// <summary>Moves the old file away at the first call; later calls return at once.</summary>
    /// <exception cref="TransferException">The old file can't be moved, and must not be replaced.</exception>
    public async ValueTask TakeAsync(CancellationToken ct)
    {
        if (_isTaken) return;
        _moved = await Folder.TakeAsync(Path, ct).ConfigureAwait(false);
        _isTaken = true;
    }

    /// <summary>Moves the old file back when the new one has not got the name. Returns the error to report.</summary>
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
