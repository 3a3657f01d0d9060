namespace Transfer.Local;

/// <summary>Where a local path really leads.</summary>
internal static class LocalLinks
{
    private const int MaxLinks = 40; // what the systems themselves allow

    /// <summary>True for a path that is itself a link, whatever it leads to.</summary>
    public static bool IsLink(string path) => new FileInfo(path).LinkTarget is not null;

    /// <summary>The path with every link in it resolved. What does not exist is taken as it is written.</summary>
    /// <exception cref="LinkLoopException">Too many links: they go round in a circle.</exception>
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
            if (++links > MaxLinks) throw new LinkLoopException($"{path} leads through too many links.");
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

    /// <summary>Refuses to have a link that does not surely stay within a folder.</summary>
    /// <param name="root">The folder.</param>
    /// <param name="realRoot">The same as <see cref="RealPath"/> gives it.</param>
    /// <param name="path">The link, in the folder.</param>
    /// <param name="text">Where it would lead.</param>
    /// <exception cref="TransferException"><see cref="TransferError.Denied"/>: it is absolute, or leads out of the folder.</exception>
    public static void CheckTarget(string root, string realRoot, string path, string text)
    {
        var directory = Path.GetDirectoryName(path)!;
        var below = Path.GetRelativePath(root, directory);
        var depth = below == "." ? 0 : Components(below).Length;
        var reason = LinkTargets.Refuse(depth, text, OperatingSystem.IsWindows())
            // What is there already may be a link of somebody's own, and lead anywhere.
            ?? (IsInside(RealPath(Path.Join(directory, text)), realRoot) ? null : "it leads out of the folder");
        if (reason is not null) throw new TransferException(TransferError.Denied, $"{path} is not made a link to {text}: {reason}.");
    }

    /// <summary>Makes a link.</summary>
    /// <param name="path">Where.</param>
    /// <param name="text">Where it leads, as it is.</param>
    /// <param name="modified">The time to give the link itself, or null.</param>
    /// <param name="temporary">A free name beside it, to replace a file or a link that is there; null: nothing is replaced.</param>
    /// <exception cref="TransferException"><see cref="TransferError.Exists"/>: something is there that may not be replaced.</exception>
    /// <exception cref="IOException">The system refuses.</exception>
    public static void Create(string path, string text, DateTimeOffset? modified, string? temporary)
    {
        var isLink = IsLink(path);
        var exists = isLink || File.Exists(path) || Directory.Exists(path);
        if (exists && (temporary is null || !isLink && Directory.Exists(path))) throw new TransferException(TransferError.Exists, $"{path} exists.");

        // Windows tells links to directories from links to files.
        var toDirectory = Directory.Exists(Path.Join(Path.GetDirectoryName(path), text));
        var made = exists ? temporary! : path;
        if (toDirectory) Directory.CreateSymbolicLink(made, text);
        else File.CreateSymbolicLink(made, text);
        if (modified is { } time) SetTime(made, time.UtcDateTime, toDirectory);
        if (!exists) return;

        // No call replaces a link by a link to a directory. What is made already can only be renamed: no right is missing for it.
        if (isLink && OperatingSystem.IsWindows() && Directory.Exists(path)) Directory.Delete(path);
        else File.Delete(path);
        if (toDirectory) Directory.Move(made, path);
        else File.Move(made, path);
    }

    private static void SetTime(string link, DateTime time, bool isDirectory)
    {
        if (isDirectory) Directory.SetLastWriteTimeUtc(link, time);
        else File.SetLastWriteTimeUtc(link, time);
    }

    private static string[] Components(string path) =>
        path.Split([Path.DirectorySeparatorChar, Path.AltDirectorySeparatorChar], StringSplitOptions.RemoveEmptyEntries);
}
