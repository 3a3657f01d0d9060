namespace Transfer.Testing.Stores;

/// <summary>A file or directory of a <see cref="MemoryStore"/>, guarded by the store's lock.</summary>
internal abstract class MemoryNode
{
    public DateTimeOffset Modified { get; set; }

    public UnixFileMode Mode { get; set; }

    public abstract TestEntry Describe(string name);
}
