namespace Transfer.Testing.Stores;

/// <summary>The directories of a <see cref="MemoryStore"/>, guarded by its lock.</summary>
internal sealed class MemoryTree
{
    private readonly MemoryDirectory _root;

    public MemoryTree(DateTimeOffset created) => _root = new MemoryDirectory { Modified = created };

    public MemoryNode? Find(string path)
    {
        MemoryNode node = _root;
        foreach (var name in VirtualPath.Split(path))
        {
            if (node is not MemoryDirectory directory || directory.Find(name) is not { } child) return null;
            node = child;
        }

        return node;
    }

    public MemoryNode Existing(string path) => Find(path) ?? throw new FileNotFoundException("No such file or directory.");

    public MemoryFile File(string path) => Existing(path) as MemoryFile ?? throw new UnauthorizedAccessException("It is a directory.");

    public MemoryDirectory Directory(string path) => Find(path) as MemoryDirectory ?? throw new DirectoryNotFoundException("No such directory.");

    /// <summary>The directory that holds a path, which must exist, and the last component.</summary>
    public (MemoryDirectory Parent, string Name) Parent(string path)
    {
        var name = VirtualPath.Name(path);
        if (name.Length == 0) throw new UnauthorizedAccessException("It is the root.");
        return (Directory(VirtualPath.Parent(path)), name);
    }

    public void Put(string path, MemoryNode node, DateTimeOffset now, Action<MemoryNode> replaced)
    {
        var directory = _root;
        foreach (var name in VirtualPath.Split(VirtualPath.Parent(path)))
        {
            if (directory.Find(name) is not { } child) directory.Set(name, child = new MemoryDirectory { Modified = now, Discards = directory.Discards });
            directory = child as MemoryDirectory ?? throw new IOException($"{name} is a file.");
        }

        var last = VirtualPath.Name(path);
        if (last.Length == 0) return;
        if (directory.Find(last) is { } old) replaced(old);
        directory.Set(last, node);
    }

    public void Move(string from, string to, Action<MemoryNode> replaced)
    {
        var node = Existing(from);
        if (from == to) return;
        if (to.StartsWith(from + "/", StringComparison.Ordinal)) throw new IOException("A directory can't move into itself.");
        var (oldParent, oldName) = Parent(from);
        var (newParent, newName) = Parent(to);
        var target = newParent.Find(newName);
        if (target is MemoryDirectory || (target is not null && node is MemoryDirectory)) throw new IOException("It exists.");
        newParent.Set(newName, node);
        oldParent.Remove(oldName);
        if (target is not null) replaced(target);
    }

    /// <summary>Everything but the root and the inside of generated directories, parents first.</summary>
    public IEnumerable<KeyValuePair<string, MemoryNode>> Walk() => Walk(string.Empty, _root);

    private static IEnumerable<KeyValuePair<string, MemoryNode>> Walk(string path, MemoryDirectory directory)
    {
        foreach (var (name, node) in directory.Children)
        {
            var full = $"{path}/{name}";
            yield return new(full, node);
            if (node is not MemoryDirectory inner) continue;
            foreach (var pair in Walk(full, inner)) yield return pair;
        }
    }
}
