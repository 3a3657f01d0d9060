namespace Transfer;

/// <summary>One name in a remote directory, with the facts that the server sent.</summary>
public sealed record RemoteEntry
{
    /// <summary>The full path: the directory that was listed, a slash, the name.</summary>
    public required string Path { get; init; }

    /// <summary>The last component of <see cref="Path"/>.</summary>
    public string Name => RemotePath.GetName(Path);

    /// <summary>The kind of entry.</summary>
    public required RemoteEntryType Type { get; init; }

    /// <summary>The length in bytes, if known.</summary>
    public long? Length { get; init; }

    /// <summary>
    /// Whether a transfer will move about, but not exactly, <see cref="Length"/> bytes: the length of a text, or a rounded one. Nothing is
    /// compared with such a length.
    /// </summary>
    public bool IsLengthApproximate { get; init; }

    /// <summary>The last modification, if known. The precision is the server's (often a second, in old listings a minute or a
    /// day).</summary>
    public DateTimeOffset? Modified { get; init; }

    /// <summary>
    /// The range in which the last modification lies where <see cref="Modified"/> is not known because the server's listing leaves the
    /// meaning of dates open (03/04/05); null elsewhere.
    /// </summary>
    public TimeRange? ModifiedRange { get; init; }

    /// <summary>The time of creation, if known.</summary>
    public DateTimeOffset? Created { get; init; }

    /// <summary>The POSIX permission bits, if known.</summary>
    public UnixFileMode? Mode { get; init; }

    /// <summary>The owner's name or number, if known.</summary>
    public string? Owner { get; init; }

    /// <summary>The group's name or number, if known.</summary>
    public string? Group { get; init; }

    /// <summary>The target of a link, as the server printed it.</summary>
    public string? LinkTarget { get; init; }
}
