using Transfer.Journal;

namespace Transfer.Local.Contents;

/// <summary>How a received file is written.</summary>
internal sealed record LocalFileSinkOptions
{
    /// <summary>What the remote side announced, or null.</summary>
    public long? Length { get; init; }

    /// <summary>The modification time to give it; null: now.</summary>
    public DateTimeOffset? Modified { get; init; }

    /// <summary>The permissions that were asked for by name; null: none were.</summary>
    public UnixFileMode? Mode { get; init; }

    /// <summary>The permissions that the file has at the remote side; null: not known.</summary>
    public UnixFileMode? SourceMode { get; init; }

    /// <summary>What is there under its name may be replaced.</summary>
    public bool Replace { get; init; }

    /// <summary>Makes a fresh temporary name for every attempt; null: the file is written under its own name.</summary>
    public Func<string>? TemporaryName { get; init; }

    /// <summary>Where those names are; null: beside the target.</summary>
    public string? TemporaryFolder { get; init; }

    /// <summary>Makes the directories that the file and its temporary name are in, where they are missing.</summary>
    public bool CreateDirectories { get; init; }

    /// <summary>Its content is on the disk before it gets its name, and its name before it is done.</summary>
    public bool FlushToDisk { get; init; }

    /// <summary>Moves what has the name into a backup, before that gets it; null: it is replaced.</summary>
    public Action? BackUp { get; init; }

    /// <summary>Told of what is written, so that it can be continued; null: nobody will.</summary>
    public JournaledFile? Journaled { get; init; }
}
