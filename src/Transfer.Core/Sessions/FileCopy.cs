using Transfer.Replacing;

namespace Transfer.Sessions;

/// <summary>A file that is to be copied inside one server.</summary>
public sealed record FileCopy
{
    /// <summary>What is copied, absolute.</summary>
    public required string Source { get; init; }

    /// <summary>Where to, absolute.</summary>
    public required string Target { get; init; }

    /// <summary>The name to write under before the rename; null: it is written under <see cref="Target"/>.</summary>
    public string? TemporaryPath { get; init; }

    /// <summary>An existing target may be replaced.</summary>
    public bool Replace { get; init; }

    /// <summary>How the copy is checked before it is published.</summary>
    public VerificationMode Verify { get; init; }

    /// <summary>See <see cref="WorkItem.FlushToDisk"/>.</summary>
    public bool FlushToDisk { get; init; }

    /// <summary>What is set on the copy, or null.</summary>
    public FileMetadata? Metadata { get; init; }

    /// <summary>The permissions of the source; null: the server knows them. What the copy is to have is <see cref="Modes.FinalMode"/>'s decision, unless <see cref="Metadata"/> names it.</summary>
    public UnixFileMode? SourceMode { get; init; }

    /// <summary>Names and remembers what is moved aside while the copy gets its name.</summary>
    public IAsideLog Asides { get; init; } = AsideNames.Unrecorded;

    /// <summary>Told of bytes as they are copied; or null.</summary>
    public Action<long>? Moved { get; init; }
}
