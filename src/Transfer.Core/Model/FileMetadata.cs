using Transfer.Modes;

namespace Transfer.Sessions;

/// <summary>What is set on a file beside its content; null members are left alone.</summary>
public sealed record FileMetadata
{
    /// <summary>The modification time.</summary>
    public DateTimeOffset? Modified { get; init; }

    /// <summary>POSIX permission bits.</summary>
    public UnixFileMode? Mode { get; init; }

    /// <summary>What a transfer sets: of the permissions never more than nine bits. Null: nothing.</summary>
    internal static FileMetadata? Of(DateTimeOffset? modified, UnixFileMode? mode) =>
        modified is null && mode is null ? null : new() { Modified = modified, Mode = mode & FinalMode.Permissions };
}
