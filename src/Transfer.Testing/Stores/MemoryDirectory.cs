namespace Transfer.Testing.Stores;

/// <summary>A directory of a <see cref="MemoryStore"/>.</summary>
internal class MemoryDirectory : MemoryNode
{
    private readonly SortedDictionary<string, MemoryNode> _children = new(StringComparer.Ordinal);

    public MemoryDirectory() =>
        Mode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute
            | UnixFileMode.GroupRead | UnixFileMode.GroupExecute | UnixFileMode.OtherRead | UnixFileMode.OtherExecute;

    /// <summary>Files written here keep their length only.</summary>
    public bool Discards { get; init; }

    public virtual bool IsEmpty => _children.Count == 0;

    public virtual MemoryNode? Find(string name) => _children.GetValueOrDefault(name);

    public virtual void Set(string name, MemoryNode node) => _children[name] = node;

    public virtual void Remove(string name) => _children.Remove(name);

    /// <summary>The present entries; read under the store's lock, enumerated after it. The caller describes links.</summary>
    public virtual IEnumerable<TestEntry> Snapshot(Func<string, MemoryLink, TestEntry> describe)
    {
        var entries = new List<TestEntry>(_children.Count);
        foreach (var (name, node) in _children) entries.Add(node is MemoryLink link ? describe(name, link) : node.Describe(name));
        return entries;
    }

    public IEnumerable<KeyValuePair<string, MemoryNode>> Children => _children;

    public override TestEntry Describe(string name) => new() { Name = name, IsDirectory = true, Modified = Modified, Mode = Mode };
}
