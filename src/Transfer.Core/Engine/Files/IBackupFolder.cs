namespace Transfer.Engine.Files;

/// <summary>The folder to which files move that are to be replaced.</summary>
internal interface IBackupFolder
{
    /// <summary>Moves a file away that is to be replaced. Returns the new path, or null when no file existed.</summary>
    /// <exception cref="TransferException">The file could not be moved, or is a folder, and is still in place.</exception>
    ValueTask<string?> TakeAsync(string path, CancellationToken ct);

    /// <summary>Moves a file back that could not be replaced after all. False: the move failed.</summary>
    ValueTask<bool> PutBackAsync(string backup, string path);
}
