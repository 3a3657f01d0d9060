using Transfer.Journal;

namespace Transfer.Local.Contents;

/// <summary>How a received file is written.</summary>
internal sealed record LocalFileSinkOptions
{
    /// <summary>The length that the remote side announced, or null.</summary>
    public long? Length { get; init; }

    /// <summary>The modification time of the file; null: now.</summary>
    public DateTimeOffset? Modified { get; init; }

    /// <summary>The permissions set in the options; null: none.</summary>
    public UnixFileMode? Mode { get; init; }

    /// <summary>The permissions that the file has at the remote side; null: not known.</summary>
    public UnixFileMode? SourceMode { get; init; }

    /// <summary>Whether an existing file of that name may be replaced.</summary>
    public bool Replace { get; init; }

    /// <summary>Makes a fresh temporary name for every attempt; null: the file is written under the final name.</summary>
    public Func<string>? TemporaryName { get; init; }

    /// <summary>The folder of the temporary files; null: beside the target.</summary>
    public string? TemporaryFolder { get; init; }

    /// <summary>Whether missing directories of the file and of the temporary file are made.</summary>
    public bool CreateDirectories { get; init; }

    /// <summary>Whether the content is flushed to the disk before the file gets the name, and the name before the file is done.</summary>
    public bool FlushToDisk { get; init; }

    /// <summary>Moves the existing file into a backup, before the new one gets the name; null: the existing file is replaced.</summary>
    public Action? BackUp { get; init; }

    /// <summary>Receives notes of the bytes written, so that the file can be continued; null: not continued.</summary>
    public JournaledFile? Journaled { get; init; }
}
