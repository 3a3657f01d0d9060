using Transfer.Replacing;

namespace Transfer.Sessions;

/// <summary>A copy of a file inside one server.</summary>
public sealed record FileCopy
{
    /// <summary>The file to copy, absolute.</summary>
    public required string Source { get; init; }

    /// <summary>The path of the copy, absolute.</summary>
    public required string Target { get; init; }

    /// <summary>The name for writing before the rename; null: the copy is written under <see cref="Target"/>.</summary>
    public string? TemporaryPath { get; init; }

    /// <summary>Whether an existing target may be replaced.</summary>
    public bool Replace { get; init; }

    /// <summary>The check of the copy before publishing.</summary>
    public VerificationMode Verify { get; init; }

    /// <summary>See <see cref="WorkItem.FlushToDisk"/>.</summary>
    public bool FlushToDisk { get; init; }

    /// <summary>The metadata to set on the copy, or null.</summary>
    public FileMetadata? Metadata { get; init; }

    /// <summary>
    /// The permissions of the source; null: the server knows them. <see cref="Modes.FinalMode"/> decides on those of the copy unless
    /// <see cref="Metadata"/> names them.
    /// </summary>
    public UnixFileMode? SourceMode { get; init; }

    /// <summary>Names and records files that are moved aside while the copy gets its name.</summary>
    public IAsideLog Asides { get; init; } = AsideNames.Unrecorded;

    /// <summary>Called with numbers of bytes as they are copied; or null.</summary>
    public Action<long>? Moved { get; init; }
}
