namespace Transfer.Batch.Archive.Unpacking;

/// <summary>What of an archive is to be on the disk: files, the folders that have their entries, and those that were made for them.</summary>
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

    /// <summary>Files, and folders of which something else than their entries has changed.</summary>
    public IReadOnlyCollection<(string Path, ulong Device)> Files => _files;

    /// <summary>The folders whose entries have changed.</summary>
    public IEnumerable<(string Path, ulong Device)> Folders
    {
        get
        {
            foreach (var folder in _folders) yield return (folder.Path, folder.Device);
            // Where something is made it is on the same file system.
            if (_made.Find(folder => folder.Parent is null) is not { } root) yield break;
            foreach (var above in _all.Above) yield return (above, root.Device);
        }
    }

    /// <summary>A file.</summary>
    /// <param name="folder">Where it is; what is in there has changed with it.</param>
    /// <param name="path">Its path here.</param>
    public void Add(TargetFolder folder, string path)
    {
        _files.Add((path, folder.Device));
        Add(folder);
    }

    /// <summary>Something in a folder has got a name.</summary>
    public void Add(TargetFolder folder)
    {
        if (!_folders.Add(folder)) return;
        // Its own entry, and so on upwards, as long as it may not be on the disk.
        for (var made = folder; made is { IsFresh: true, IsSafe: false }; made = made.Parent)
        {
            _made.Add(made);
            if (made.Parent is null || !_folders.Add(made.Parent)) break;
        }
    }

    /// <summary>All of it is on the disk.</summary>
    public void Settle()
    {
        foreach (var folder in _made) folder.IsSafe = true;
    }
}
