namespace Transfer.Testing.Stores;

/// <summary>A file of a <see cref="MemoryStore"/>.</summary>
internal sealed class MemoryFile : MemoryNode
{
    public MemoryFile(MemoryContent content)
    {
        Content = content;
        Mode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.OtherRead;
    }

    public MemoryContent Content { get; }

    /// <summary>How many names the file has.</summary>
    public int Names { get; set; } = 1;

    public override TestEntry Describe(string name) => new() { Name = name, Length = Content.Length, Modified = Modified, Mode = Mode };
}
