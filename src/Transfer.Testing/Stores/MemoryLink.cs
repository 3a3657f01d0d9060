namespace Transfer.Testing.Stores;

/// <summary>A symbolic link of a <see cref="MemoryStore"/>.</summary>
internal sealed class MemoryLink : MemoryNode
{
    public MemoryLink(string target)
    {
        Target = target;
        Mode = (UnixFileMode)0x1FF;
    }

    /// <summary>The link's text: an absolute path of the store, or one from the link's directory.</summary>
    public string Target { get; }

    public override TestEntry Describe(string name) =>
        new()
        {
            Name = name,
            Length = System.Text.Encoding.UTF8.GetByteCount(Target),
            Modified = Modified,
            Mode = Mode,
            LinkTarget = Target
        };
}
