namespace Transfer.Sessions;

/// <summary>What is set on a file beside its content; null members are left alone.</summary>
public sealed record FileMetadata
{
    /// <summary>The modification time.</summary>
    public DateTimeOffset? Modified { get; init; }

    /// <summary>POSIX permission bits.</summary>
    public UnixFileMode? Mode { get; init; }
}
