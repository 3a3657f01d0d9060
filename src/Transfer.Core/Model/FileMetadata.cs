using Transfer.Modes;

namespace Transfer.Sessions;

/// <summary>The attributes set on a file beside the content; null members stay unchanged.</summary>
public sealed record FileMetadata
{
    /// <summary>The modification time.</summary>
    public DateTimeOffset? Modified { get; init; }

    /// <summary>POSIX permission bits.</summary>
    public UnixFileMode? Mode { get; init; }

    /// <summary>The attributes that a transfer sets: of the permissions never more than nine bits. Null: none.</summary>
    internal static FileMetadata? Of(DateTimeOffset? modified, UnixFileMode? mode) =>
        modified is null && mode is null ? null : new() { Modified = modified, Mode = mode & FinalMode.Permissions };
}
