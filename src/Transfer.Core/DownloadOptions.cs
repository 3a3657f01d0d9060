namespace Transfer;

/// <summary>How one file is downloaded. <see cref="Overwrite"/>, <see cref="Publish"/> and <see cref="PreserveModified"/> are about the local file, where there is one.</summary>
public sealed record DownloadOptions
{
    /// <summary>What to do when the local file exists.</summary>
    public Overwrite Overwrite { get; init; } = Overwrite.Fail;

    /// <summary>How the local file appears under its name.</summary>
    public Publish Publish { get; init; } = Publish.Rename;

    /// <summary>How it is checked before it is published.</summary>
    public Verification Verify { get; init; } = Verification.Size;

    /// <summary>Gives the local file the remote modification time.</summary>
    public bool PreserveModified { get; init; } = true;

    /// <summary>Sessions that may fetch the file together, where the target is a file; null: as many as pay.</summary>
    public int? Segments { get; init; }

    /// <summary>
    /// A file in which the job remembers what it has done, so that it can be continued after whatever broke it off; deleted when the job has ended
    /// without a failure. Its folder is made if need be. Null: none, and what is broken off starts over.
    /// </summary>
    public string? Journal { get; init; }

    /// <summary>
    /// Continues the job of which <see cref="Journal"/> tells: a large file goes on where it was broken off, after a look at what there is of it. Where there is no such journal, the job begins.
    /// </summary>
    public bool Resume { get; init; }
}
