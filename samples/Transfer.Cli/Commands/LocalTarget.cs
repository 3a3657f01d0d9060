namespace Transfer.Cli.Commands;

/// <summary>Where downloads go.</summary>
internal sealed class LocalTarget
{
    /// <param name="path">A file, a folder, or <c>-</c>.</param>
    /// <param name="several">More than one source may come, which needs a folder.</param>
    public LocalTarget(string path, bool several)
    {
        Path = path;
        KeepsNames = several;
        IsOutput = path == "-";
        IsDirectory = !IsOutput && (LocalPath.NamesDirectory(path) || LocalPath.IsDirectory(path));
        if (several && !IsDirectory && !IsOutput)
            throw new UsageException("Several sources, and patterns, need a folder: one that exists, or a path that ends in /.");
    }

    public string Path { get; }

    /// <summary>Standard output.</summary>
    public bool IsOutput { get; }

    /// <summary>A folder: files keep their names in it.</summary>
    public bool IsDirectory { get; }

    /// <summary>Folders keep their names too, because there may be more than one.</summary>
    public bool KeepsNames { get; }

    /// <summary>Where a file of that name goes; the folder is made.</summary>
    public string ForFile(string name)
    {
        if (IsDirectory) LocalPath.CreateDirectory(Path);
        return PlanFile(name);
    }

    /// <summary>Where a file of that name would go.</summary>
    public string PlanFile(string name) => IsDirectory ? RemoteTarget.LocalPath(Path, name) : Path;

    /// <summary>Looks at where a file of that name would go; null: nothing is there, and the file can be made.</summary>
    /// <exception cref="TransferException">The file's folder is missing, and would not be made.</exception>
    public RemoteEntry? Look(string name)
    {
        if (LocalPath.Find(PlanFile(name)) is { } there) return there;
        var folder = System.IO.Path.GetDirectoryName(LocalPath.Full(PlanFile(name)))!;
        if (LocalPath.IsDirectory(folder)) return null;
        if (!IsDirectory) throw new TransferException(TransferError.NotFound, $"There is no folder {folder}.");
        var above = folder;
        while (LocalPath.Find(above) is null && System.IO.Path.GetDirectoryName(above) is { } next) above = next;
        return LocalPath.IsDirectory(above) ? null
            : throw new TransferException(above == folder ? TransferError.Exists : TransferError.NotFound, $"{above} is not a folder.");
    }

    /// <summary>The folder whose contents a folder of that name becomes.</summary>
    public string ForDirectory(string name, bool make) => !KeepsNames ? Path : make ? ForFile(name) : PlanFile(name);
}
