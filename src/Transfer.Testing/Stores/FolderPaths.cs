namespace Transfer.Testing.Stores;

/// <summary>Maps a store's paths to local ones and keeps them below a root.</summary>
internal sealed class FolderPaths
{
    private const int MaxLinks = 40;

    private readonly string _prefix;

    public FolderPaths(string root)
    {
        var directory = new DirectoryInfo(Path.TrimEndingDirectorySeparator(Path.GetFullPath(root)));
        if (!directory.Exists) throw new DirectoryNotFoundException($"There is no folder {root}.");
        Root = Physical(directory.FullName);
        _prefix = Path.EndsInDirectorySeparator(Root) ? Root : Root + Path.DirectorySeparatorChar;
    }

    public string Root { get; }

    /// <summary>Returns the entry at a path, or null. Links are returned as themselves.</summary>
    public FileSystemInfo? Find(string path)
    {
        var local = Map(path);
        var directory = new DirectoryInfo(local);
        if (directory.Exists) return directory;
        var file = new FileInfo(local);
        return file.Exists || file.LinkTarget is not null ? file : null;
    }

    /// <summary>The path of the store without links, also without one at the end. Names that do not exist stay.</summary>
    public string Resolve(string path) => ToVirtual(Physical(Map(path)))!;

    /// <summary>A link's text for the store's clients: local paths below the root become paths of the store.</summary>
    public string? ShownTarget(string? target) => target is null || !Path.IsPathRooted(target) ? target : ToVirtual(target) ?? target;

    /// <summary>A link's text in the system's form.</summary>
    /// <exception cref="UnauthorizedAccessException">The link would lead outside.</exception>
    public string LocalTarget(string path, string target)
    {
        var parent = Physical(Map(VirtualPath.Parent(path)));
        var local = target.StartsWith('/') ? Path.Join(Root, target) : Path.Join(parent, target);
        if (!IsBelow(Physical(local))) throw new UnauthorizedAccessException("It leads out of the folder.");
        return target.StartsWith('/') ? local : target;
    }

    /// <summary>The local path, after a check that all its links lead to places below the root.</summary>
    /// <exception cref="UnauthorizedAccessException">The path leads outside, or holds an invalid name.</exception>
    public string Map(string path)
    {
        var local = Root;
        foreach (var name in VirtualPath.Split(path))
        {
            if (name is "." or ".." || name.AsSpan().IndexOfAny(Path.GetInvalidFileNameChars()) >= 0)
                throw new UnauthorizedAccessException("The name is not allowed.");
            local = Path.Combine(local, name);
            if (!IsBelow(Physical(local))) throw new UnauthorizedAccessException("It leads out of the folder.");
        }

        return local;
    }

    private bool IsBelow(string physical) => physical == Root || physical.StartsWith(_prefix, Comparison);

    private string? ToVirtual(string local) =>
        !IsBelow(local) ? null : local.Length <= _prefix.Length
        ? "/" : "/" + local[_prefix.Length..].Replace(Path.DirectorySeparatorChar, '/');

    private static StringComparison Comparison => OperatingSystem.IsLinux() ? StringComparison.Ordinal : StringComparison.OrdinalIgnoreCase;

    /// <summary>The path with the links of every component followed, also of components of link targets.</summary>
    private static string Physical(string path)
    {
        var pending = new Stack<string>();
        Push(pending, path, out var at);
        var links = 0;
        while (pending.TryPop(out var name))
        {
            if (name == ".") continue;
            if (name == "..")
            {
                at = Path.GetDirectoryName(at) ?? at;
                continue;
            }

            var next = Path.Combine(at, name);
            if (new FileInfo(next).LinkTarget is not { } target)
            {
                at = next;
                continue;
            }

            if (++links > MaxLinks) throw new UnauthorizedAccessException("Too many links.");
            if (Path.IsPathRooted(target)) Push(pending, target, out at);
            else PushNames(pending, target);
        }

        return at;
    }

    private static void Push(Stack<string> pending, string path, out string root)
    {
        root = Path.GetPathRoot(path)!;
        PushNames(pending, path[root.Length..]);
    }

    private static void PushNames(Stack<string> pending, string path)
    {
        var names = path.Split([Path.DirectorySeparatorChar, Path.AltDirectorySeparatorChar], StringSplitOptions.RemoveEmptyEntries);
        for (var i = names.Length - 1; i >= 0; i--) pending.Push(names[i]);
    }
}
