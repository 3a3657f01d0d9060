using Transfer.Engine.Journal;

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

    /// <inheritdoc cref="FolderOptions.Journal"/>
    public string? Journal { get; init; }

    /// <inheritdoc cref="FolderOptions.JournalFlush"/>
    public JournalFlush JournalFlush { get; init; }

    /// <inheritdoc cref="UploadOptions.Resume"/>
    public bool Resume { get; init; }

    /// <summary>The job's journal; null: it has none.</summary>
    internal JournalSettings? Journaling => JournalSettings.Of(Journal, JournalFlush, Resume);
}
