namespace Transfer.Engine.Files;

/// <summary>Where files go that are to be replaced.</summary>
internal interface IBackupFolder
{
    /// <summary>Moves one file away that is to be replaced. Gives where it is now, or null: nothing was there.</summary>
    /// <exception cref="TransferException">It could not be moved, or is a folder: it is where it was.</exception>
    ValueTask<string?> TakeAsync(string path, CancellationToken ct);

    /// <summary>Gives a file its name back that could not be replaced after all. False: it could not be.</summary>
    ValueTask<bool> PutBackAsync(string backup, string path);
}
