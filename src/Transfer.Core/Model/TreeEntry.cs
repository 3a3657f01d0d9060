namespace Transfer;

/// <summary>The facts that a job keeps of a name in a directory: few, because there may be hundreds of thousands of names.</summary>
/// <param name="Name">The name as listed, not yet judged.</param>
/// <param name="Type">The kind of entry.</param>
/// <param name="RawLength">The length, or -1.</param>
/// <param name="ModifiedTicks">UTC ticks, or 0.</param>
/// <param name="LinkTarget">A link's text, where the listing has it.</param>
internal readonly record struct TreeEntry(string Name, RemoteEntryType Type, long RawLength, long ModifiedTicks, string? LinkTarget = null)
{
    // The bits plus one; 0: unknown. A short fits where the layout leaves room.
    private readonly short _mode;

    public long? Length => RawLength < 0 ? null : RawLength;

    /// <summary>See <see cref="RemoteEntry.IsLengthApproximate"/>.</summary>
    public bool IsLengthApproximate { get; init; }

    /// <summary>The length, where a transfer moves exactly that.</summary>
    public long? ExactLength => IsLengthApproximate ? null : Length;

    /// <summary>The permissions, where the listing has them.</summary>
    public UnixFileMode? Mode
    {
        get => _mode == 0 ? null : (UnixFileMode)(_mode - 1);
        init => _mode = value is { } mode ? (short)((int)mode + 1) : (short)0;
    }

    public DateTimeOffset? Modified => ModifiedTicks == 0 ? null : new DateTimeOffset(ModifiedTicks, TimeSpan.Zero);

    public static TreeEntry From(RemoteEntry entry, string name) =>
        new(name, entry.Type, entry.Length ?? -1, entry.Modified?.UtcTicks ?? 0, entry.LinkTarget)
        {
            IsLengthApproximate = entry.IsLengthApproximate,
            Mode = entry.Mode,
        };
}
