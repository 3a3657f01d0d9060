namespace Transfer;

/// <summary>The deletions that a synchronisation is about to make: see <see cref="SyncOptions.Deletions"/>.</summary>
public sealed record DeletionSummary
{
    /// <summary>Files and links.</summary>
    public long Files { get; init; }

    /// <summary>Folders.</summary>
    public long Directories { get; init; }

    /// <summary>Bytes of the files, as far as their lengths are known.</summary>
    public long Bytes { get; init; }

    /// <summary>Files, links and folders that the target has, those that the filter leaves out not counted.</summary>
    public long Present { get; init; }

    /// <summary>That is more than <see cref="SyncOptions.MaxDelete"/> allows: nothing is deleted.</summary>
    public bool IsRefused { get; init; }
}
