namespace Transfer.Batch.Archive.Unpacking;

/// <summary>The parts of an archive to be flushed: files, the folders that have their entries, and folders that were created for
/// them.</summary>
internal sealed class FlushList
{
    private readonly TargetFolders _all;
    private readonly HashSet<TargetFolder> _folders = [];
    private readonly HashSet<(string Path, ulong Device)> _files = [];
    private readonly List<TargetFolder> _made = [];

    /// <param name="all">The folders of the target.</param>
    public FlushList(TargetFolders all)
    {
        _all = all;
    }

    /// <summary>The files, and the folders with other changes than those of their entries.</summary>
    public IReadOnlyCollection<(string Path, ulong Device)> Files => _files;

    /// <summary>The folders with changed entries.</summary>
    public IEnumerable<(string Path, ulong Device)> Folders
    {
        get
        {
            foreach (var folder in _folders) yield return (folder.Path, folder.Device);
            // The folders above the target that were created are on the target's file system.
            if (_made.Find(folder => folder.Parent is null) is not { } root) yield break;
            foreach (var above in _all.Above) yield return (above, root.Device);
        }
    }

    /// <summary>Adds a file.</summary>
    /// <param name="folder">The file's folder, which has changed entries too.</param>
    /// <param name="path">The file's path here.</param>
    public void Add(TargetFolder folder, string path)
    {
        _files.Add((path, folder.Device));
        Add(folder);
    }

    /// <summary>Adds a folder with a new name inside.</summary>
    public void Add(TargetFolder folder)
    {
        if (!_folders.Add(folder)) return;
        // The entry of a new folder itself, and so on upwards, as long as the entry may not be on the disk.
        for (var made = folder; made is { IsFresh: true, IsSafe: false }; made = made.Parent)
        {
            _made.Add(made);
            if (made.Parent is null || !_folders.Add(made.Parent)) break;
        }
    }

    /// <summary>Marks the created folders as safe, once all is on the disk.</summary>
    public void MarkFlushed()
    {
        foreach (var folder in _made) folder.IsSafe = true;
    }
}
