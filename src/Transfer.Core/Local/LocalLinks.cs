namespace Transfer.Local;

/// <summary>Where a local path really leads.</summary>
internal static class LocalLinks
{
    private const int MaxLinks = 40; // what the systems themselves allow

    /// <summary>True for a path that is itself a link, whatever it leads to.</summary>
    public static bool IsLink(string path) => new FileInfo(path).LinkTarget is not null;

    /// <summary>The path with every link in it resolved. What does not exist is taken as it is written.</summary>
    /// <exception cref="IOException">Too many links: they go round in a circle.</exception>
    public static string RealPath(string path)
    {
        var full = Path.GetFullPath(path);
        var root = Path.GetPathRoot(full) ?? string.Empty;
        var pending = new Stack<string>(Components(full[root.Length..]).Reverse());
        var real = root;
        var links = 0;
        while (pending.TryPop(out var name))
        {
            if (name is "." or "") continue;
            if (name == "..")
            {
                real = Path.GetDirectoryName(real) ?? root;
                continue;
            }
            var next = Path.Join(real, name);
            var target = new FileInfo(next).LinkTarget;
            if (target is null)
            {
                real = next;
                continue;
            }
            if (++links > MaxLinks) throw new IOException($"{path} leads through too many links.");
            if (Path.IsPathRooted(target))
            {
                root = Path.GetPathRoot(target)!;
                real = root;
                target = target[root.Length..];
            }
            foreach (var component in Components(target).Reverse()) pending.Push(component);
        }
        return real;
    }

    /// <summary>True when a path is a folder itself or in it. Both as <see cref="RealPath"/> gives them.</summary>
    public static bool IsInside(string path, string folder)
    {
        var comparison = OperatingSystem.IsWindows() ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal;
        var prefix = Path.EndsInDirectorySeparator(folder) ? folder : folder + Path.DirectorySeparatorChar;
        return path.StartsWith(prefix, comparison) || string.Equals(path, Path.TrimEndingDirectorySeparator(folder), comparison)
            || string.Equals(path, folder, comparison);
    }

    private static string[] Components(string path) =>
        path.Split([Path.DirectorySeparatorChar, Path.AltDirectorySeparatorChar], StringSplitOptions.RemoveEmptyEntries);
}
