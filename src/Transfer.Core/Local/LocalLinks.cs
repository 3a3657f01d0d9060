namespace Transfer.Local;

/// <summary>Local symbolic links, and where paths lead through them.</summary>
public static class LocalLinks
{
    private const int MaxLinks = 40; // the systems' own limit

    /// <summary>Whether a path is itself a link, whether the link leads anywhere or not.</summary>
    public static bool IsLink(string path) => DiskLinks.TargetOf(path) is not null;

    /// <summary>The text of a link; null: no link is at the path, or none that this process could follow.</summary>
    /// <exception cref="IOException">The disk fails: a link may be there.</exception>
    public static string? TargetOf(string path) => DiskLinks.TargetOf(path);

    /// <summary>The path with every link resolved. Components that do not exist stay as written.</summary>
    /// <exception cref="IOException">Too many links: they go round in a circle.</exception>
    public static string RealPath(string path)
    {
        var full = LocalPath.Full(path);
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
            var target = DiskLinks.TargetOf(next);
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

    /// <summary>Whether a path is a folder itself or inside. Both as <see cref="RealPath"/> gives them.</summary>
    internal static bool IsInside(string path, string folder)
    {
        var comparison = OperatingSystem.IsWindows() ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal;
        var prefix = Path.EndsInDirectorySeparator(folder) ? folder : folder + Path.DirectorySeparatorChar;
        return path.StartsWith(prefix, comparison) || string.Equals(path, Path.TrimEndingDirectorySeparator(folder), comparison)
            || string.Equals(path, folder, comparison);
    }

    /// <summary>Refuses a link that does not surely stay within a folder.</summary>
    /// <param name="root">The folder.</param>
    /// <param name="realRoot">The same as <see cref="RealPath"/> gives it.</param>
    /// <param name="path">The link, in the folder.</param>
    /// <param name="text">The text of the link.</param>
    /// <exception cref="TransferException"><see cref="TransferError.Denied"/>: the link is absolute, or leads out of the
    /// folder.</exception>
    public static void CheckTarget(string root, string realRoot, string path, string text)
    {
        var directory = Path.GetDirectoryName(path)!;
        var below = Path.GetRelativePath(root, directory);
        var depth = below == "." ? 0 : Components(below).Length;
        var reason = LinkTargets.Refuse(depth, text, OperatingSystem.IsWindows())
            // An existing entry on the way may be a link of another owner, and lead anywhere.
            ?? (IsInside(RealPath(Path.Join(directory, text)), realRoot) ? null : "it leads out of the folder");
        if (reason is not null) throw new TransferException(TransferError.Denied, $"{path} is not made a link to {text}: {reason}.");
    }

    /// <summary>Makes a link.</summary>
    /// <param name="path">The path of the link.</param>
    /// <param name="text">The text of the link, unchanged.</param>
    /// <param name="modified">The modification time for the link itself, or null.</param>
    /// <param name="temporary">A free name beside the path, to replace an existing file or link; null: nothing is replaced.</param>
    /// <exception cref="TransferException"><see cref="TransferError.Exists"/>: something is there that may not be replaced.</exception>
    /// <exception cref="IOException">The system refuses.</exception>
    public static void Create(string path, string text, DateTimeOffset? modified, string? temporary)
    {
        var there = FileStatus.Find(path, follow: false);
        if (there is not null && (temporary is null || there is { IsFolder: true }))
            throw new TransferException(TransferError.Exists, $"{path} exists.");

        var toFolder = DiskDirectories.Exists(Path.Join(Path.GetDirectoryName(path), text));
        var made = there is null ? path : temporary!;
        DiskLinks.Create(made, text, toFolder);
        try
        {
            if (modified is { } time) DiskFiles.SetModified(made, time.UtcDateTime, follow: false);
            if (there is null) return;
            // No call of Windows replaces a link by a link to a folder. The new link exists already and can be renamed: no right is missing
            // for that.
            if (OperatingSystem.IsWindows()) DiskFiles.Delete(path);
            DiskFiles.Rename(made, path);
        }
        catch when (there is not null && !FileStatus.IsAbsent(path))
        {
            LocalFiles.TryDelete(made, DiskFiles.Delete);
            throw;
        }
    }

    private static string[] Components(string path) =>
        path.Split([Path.DirectorySeparatorChar, Path.AltDirectorySeparatorChar], StringSplitOptions.RemoveEmptyEntries);
}
