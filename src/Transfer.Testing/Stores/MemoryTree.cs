namespace Transfer.Testing.Stores;

/// <summary>The directories of a <see cref="MemoryStore"/>, guarded by the store's lock.</summary>
internal sealed class MemoryTree
{
    private const int MaxLinks = 40;

    private readonly MemoryDirectory _root;
    private bool _hasLinks;

    public MemoryTree(DateTimeOffset created) => _root = new MemoryDirectory { Modified = created };

    /// <summary>The node at a path, or null. Links within the path are followed, one at the end is not.</summary>
    public MemoryNode? Find(string path) => FindPhysical(Resolve(path, followsLast: false));

    public MemoryNode Existing(string path) => Find(path) ?? throw new FileNotFoundException("No such file or directory.");

    /// <summary>The file at a path; a link at the end is followed.</summary>
    public MemoryFile File(string path) => FindPhysical(Resolve(path, followsLast: true)) switch
    {
        MemoryFile file => file,
        null => throw new FileNotFoundException("No such file or directory."),
        _ => throw new UnauthorizedAccessException("It is a directory."),
    };

    /// <summary>The directory at a path; a link at the end is followed.</summary>
    public MemoryDirectory Directory(string path) =>
        FindPhysical(Resolve(path, followsLast: true)) as MemoryDirectory ?? throw new DirectoryNotFoundException("No such directory.");

    /// <summary>The directory that holds a path, which must exist, and the last component.</summary>
    public (MemoryDirectory Parent, string Name) Parent(string path)
    {
        var name = VirtualPath.Name(path);
        if (name.Length == 0) throw new UnauthorizedAccessException("It is the root.");
        return (Directory(VirtualPath.Parent(path)), name);
    }

    /// <summary>
    /// The path without links; <paramref name="followsLast"/>: also one at the end is followed. Names that do not exist stay.
    /// </summary>
    public string Resolve(string path, bool followsLast)
    {
        if (!_hasLinks) return path;
        var pending = new Stack<string>(VirtualPath.Split(path).Reverse());
        var at = "/";
        for (var links = 0; pending.TryPop(out var name);)
        {
            var next = name switch
            {
                "." => at,
                ".." => VirtualPath.Parent(at),
                _ => VirtualPath.Combine(at, name),
            };
            if ((pending.Count > 0 || followsLast) && FindPhysical(next) is MemoryLink link)
            {
                if (++links > MaxLinks) throw new UnauthorizedAccessException("Too many links.");
                foreach (var part in VirtualPath.Split(link.Target).Reverse()) pending.Push(part);
                if (link.Target.StartsWith('/')) at = "/";
            }
            else
            {
                at = next;
            }
        }

        return at;
    }

    /// <summary>Adds a link in an existing directory.</summary>
    public void AddLink(string path, MemoryLink link)
    {
        if (Find(path) is not null) throw new IOException("It exists.");
        var (parent, name) = Parent(path);
        parent.Set(name, link);
        _hasLinks = true;
    }

    public void Put(string path, MemoryNode node, DateTimeOffset now, Action<MemoryNode> replaced)
    {
        var directory = _root;
        foreach (var name in VirtualPath.Split(VirtualPath.Parent(path)))
        {
            if (directory.Find(name) is not { } child)
                directory.Set(name, child = new MemoryDirectory { Modified = now, Discards = directory.Discards });
            directory = child as MemoryDirectory ?? throw new IOException($"{name} is a file.");
        }

        var last = VirtualPath.Name(path);
        if (last.Length == 0) return;
        if (directory.Find(last) is { } old) replaced(old);
        directory.Set(last, node);
        _hasLinks |= node is MemoryLink;
    }

    public void Move(string from, string to, bool replace, Action<MemoryNode> replaced)
    {
        from = Resolve(from, followsLast: false);
        to = Resolve(to, followsLast: false);
        var node = Existing(from);
        if (from == to) return;
        if (to.StartsWith(from + "/", StringComparison.Ordinal)) throw new IOException("A directory can't move into itself.");
        var (oldParent, oldName) = Parent(from);
        var (newParent, newName) = Parent(to);
        var target = newParent.Find(newName);
        if (target is MemoryDirectory || (target is not null && (node is MemoryDirectory || !replace))) throw new IOException("It exists.");

        // As rename(2): two names of one file stay unchanged.
        if (target == node) return;
        newParent.Set(newName, node);
        oldParent.Remove(oldName);
        if (target is not null) replaced(target);
    }

    /// <summary>All nodes but the root and the inside of generated directories, parents first.</summary>
    public IEnumerable<KeyValuePair<string, MemoryNode>> Walk() => Walk(string.Empty, _root);

    private MemoryNode? FindPhysical(string path)
    {
        MemoryNode node = _root;
        foreach (var name in VirtualPath.Split(path))
        {
            if (node is not MemoryDirectory directory || directory.Find(name) is not { } child) return null;
            node = child;
        }

        return node;
    }

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
