namespace Transfer;

/// <summary>The deletions that a synchronisation is about to make: see <see cref="SyncOptions.Deletions"/>.</summary>
public sealed record DeletionSummary
{
    /// <summary>The number of files and links.</summary>
    public long Files { get; init; }

    /// <summary>The number of folders.</summary>
    public long Directories { get; init; }

    /// <summary>The bytes of the files, as far as their lengths are known.</summary>
    public long Bytes { get; init; }

    /// <summary>The number of files, links and folders at the target, without those that the filter leaves out.</summary>
    public long Present { get; init; }

    /// <summary>Whether the deletions are more than <see cref="SyncOptions.MaxDelete"/> allows: then nothing is deleted.</summary>
    public bool IsRefused { get; init; }
}
