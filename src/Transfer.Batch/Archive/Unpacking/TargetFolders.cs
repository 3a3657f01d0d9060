using Transfer.Local;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>
/// The folders of a target. Each is examined from the root down before anything is written in it, and none is entered through a link; links
/// are created under the same lock, so that none takes a folder's place in between. Thread-safe.
/// </summary>
internal sealed class TargetFolders
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, TargetFolder> _known = [];
    private readonly List<string> _above = [];
    private readonly LocalNames _names;
    private readonly IEqualityComparer<string>? _spellings;
    private readonly string _root;
    private readonly string _realRoot;

    /// <param name="root">The target, an absolute path, created if missing.</param>
    /// <param name="names">The rules of names; null: detected.</param>
    /// <exception cref="TransferException">There can be no such folder.</exception>
    public TargetFolders(string root, LocalNames? names)
    {
        _root = root;
        try
        {
            var isFresh = !DiskDirectories.Exists(root);
            for (var above = Path.GetDirectoryName(root); isFresh
                && above is not null; above = DiskDirectories.Exists(above) ? null : Path.GetDirectoryName(above))
            {
                _above.Add(above);
            }

            DiskDirectories.Create(root);
            _realRoot = LocalLinks.RealPath(root);
            _names = names ?? LocalNames.Of(root);
            _spellings = _names.TellsAllApart ? null : _names;
            _known.Add(string.Empty,
                new TargetFolder(string.Empty, root, _spellings)
                {
                    IsFresh = isFresh,
                    WasEmpty = isFresh || IsEmpty(root),
                    Device = DeviceOf(root)
                });
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot create the folder", root);
        }
    }

    /// <summary>Refuses a folder that can't exist, because it or a name above it is that of a file.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Exists"/>: a file is in the way.</exception>
    public static void CheckPossible(string root)
    {
        for (var path = root; path is not null; path = Path.GetDirectoryName(path))
        {
            if (FileStatus.TryFind(path, follow: true) is not { } there) continue;
            if (there.Type != RemoteEntryType.Directory)
                throw new TransferException(TransferError.Exists, $"Cannot create the folder {root}: {path} is no folder.");
            return;
        }
    }

    /// <summary>All folders that were created or examined.</summary>
    public IReadOnlyList<TargetFolder> All
    {
        get { lock (_gate) return [.. _known.Values]; }
    }

    /// <summary>The paths of the folders above the target that got new entries when the target was created.</summary>
    public IReadOnlyList<string> Above => _above;

    /// <summary>Those that were given permissions or times.</summary>
    public FlushList Described()
    {
        var list = new FlushList(this);
        foreach (var folder in All)
        {
            if (folder.Mode is not null || folder.Modified is not null || folder.Created is not null) list.Add(folder, folder.Path);
        }
        return list;
    }

    /// <summary>Returns why a name is impossible here; null: the name is possible.</summary>
    public TransferException? Refuse(string path, ReadOnlySpan<char> name)
    {
        var text = name.ToString();
        if (_names.Refuse(text) is { } reason)
        {
            return new TransferException(LocalNames.CanExist(text) ? TransferError.Unsupported : TransferError.Denied,
                $"\"{path}\" is not written: {reason}.");
        }

        return TemporaryNames.IsTemporary(text) ? new TransferException(TransferError.Denied,
            $"\"{path}\" is not written: that is a name of unfinished files.") : null;
    }

    /// <summary>Returns a folder, created with those above if missing.</summary>
    /// <param name="relative">The folder's path in the job. Any text: the result holds the error of an impossible path.</param>
    public TargetFolder Get(ReadOnlySpan<char> relative)
    {
        lock (_gate) return Find(relative);
    }

    /// <summary>Creates a symbolic link, unless the link would lead out of the target.</summary>
    /// <param name="path">The link's path here, in a folder of this target.</param>
    /// <param name="text">The text of the link.</param>
    /// <param name="modified">The time to set, or null.</param>
    /// <param name="temporary">A free name in the same folder, for replacing an existing file or link; null: nothing is replaced.</param>
    /// <exception cref="TransferException">The link is refused, the name is taken, or the system can't.</exception>
    public void Link(string path, string text, DateTime? modified, string? temporary)
    {
        lock (_gate)
        {
            try
            {
                LocalLinks.CheckTarget(_root, _realRoot, path, text);
                LocalLinks.Create(path, text, modified is { } time ? new DateTimeOffset(time) : null, temporary);
            }
            catch (Exception e) when (LocalErrors.IsLocal(e))
            {
                throw LocalErrors.Map(e, "Cannot make the link", path);
            }
        }
    }

    private TargetFolder Find(ReadOnlySpan<char> relative)
    {
        if (_known.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(relative, out var known)) return known;
        var slash = relative.LastIndexOf('/');
        // A path that begins with a slash has an empty folder's name in front: refused as any other empty name.
        var parent = slash == 0 ? _known[string.Empty] : Find(slash < 0 ? [] : relative[..slash]);
        // Nor can anything below. Refused paths are not remembered: there could be any number, and nothing on the disk for them.
        if (parent.Error is not null) return parent;
        var folder = Make(parent, relative.ToString(), slash == 0 ? [] : relative[(slash + 1)..]);
        if (folder.Error is null) _known.Add(folder.Relative, folder);
        return folder;
    }

    private TargetFolder Make(TargetFolder parent, string relative, ReadOnlySpan<char> name)
    {
        var path = Path.Join(parent.Path, name);
        try
        {
            if (Refuse(relative, name) is { } error) return Refused(relative, path, error);
            if (!parent.Claim(name.ToString()))
            {
                return Refused(relative, path,
                    new TransferException(TransferError.Exists,
                        $"\"{relative}\" differs in its spelling only from another name in its folder: they are the same here."));
            }

            if (LocalLinks.IsLink(path))
            {
                return Refused(relative, path,
                    new TransferException(TransferError.Denied, $"{path} is a link: nothing is written through it."));
            }

            var isFresh = DiskDirectories.Create(path);
            return new TargetFolder(relative, path, _spellings)
            {
                IsFresh = isFresh,
                WasEmpty = isFresh || IsEmpty(path),
                Parent = parent,
                Device = isFresh ? parent.Device : DeviceOf(path),
            };
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            return Refused(relative, path, LocalErrors.Map(e, "Cannot create the folder", path));
        }
    }

    // 0: not known.
    private static ulong DeviceOf(string path) => FileStatus.TryFind(path, follow: true)?.Device ?? 0;

    private static bool IsEmpty(string path)
    {
        try
        {
            return DiskDirectories.Names(path).All(TemporaryNames.IsTemporary);
        }
        catch (UnauthorizedAccessException)
        {
            // A folder that can't be listed may be writable all the same.
            return false;
        }
    }

    private TargetFolder Refused(string relative, string path, TransferException error) =>
        new(relative, path, _spellings) { Error = error };
}
