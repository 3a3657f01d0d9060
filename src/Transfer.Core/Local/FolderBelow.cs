using Microsoft.Win32.SafeHandles;
using Transfer.Local.Native;

namespace Transfer.Local;

/// <summary>
/// Deletes below a folder, and never outside: a folder on the way may have become a link since it was read, and its target is not the
/// job's. Each folder is opened from the one above, through no link, and entries are deleted in the open folder (openat(2), unlinkat(2)).
/// Windows has no such calls: there the folders on the way are checked right before. Not thread-safe.
/// </summary>
internal sealed class FolderBelow : IDisposable
{
    private readonly string _root;
    private SafeFileHandle? _folder;
    private string? _opened; // the folder that is open, or on Windows was looked at

    /// <param name="root">The folder, which may be reached through links.</param>
    public FolderBelow(string root) => _root = root;

    /// <summary>Deletes a file or a link; returns the reason of a failure, or null.</summary>
    /// <param name="relative">The path below the folder, with the system's separators.</param>
    public TransferException? Delete(string relative) => Try(relative, isFolder: false);

    /// <summary>Removes an empty folder, but no link; returns the reason of a failure, or null.</summary>
    /// <inheritdoc cref="Delete"/>
    public TransferException? Remove(string relative) => Try(relative, isFolder: true);

    public void Dispose() => _folder?.Dispose();

    private TransferException? Try(string relative, bool isFolder)
    {
        var path = Path.Join(_root, relative);
        try
        {
            var above = Path.GetDirectoryName(relative) ?? string.Empty;
            if (_opened != above) Enter(above, path);
            if (isFolder) RemoveIn(path);
            else DeleteIn(path);
            return null;
        }
        catch (Exception e) when (e is TransferException || LocalErrors.IsLocal(e))
        {
            return LocalErrors.Map(e, isFolder ? "Cannot remove" : "Cannot delete", path);
        }
    }

    private void DeleteIn(string path)
    {
        if (!OperatingSystem.IsWindows()) Unlink(DiskCall.Delete, path, 0);
        else if (FileStatus.Find(path, follow: false) is null) throw Errno.ToException(Errno.NotFound, path);
        else DiskFiles.Delete(path);
    }

    private void RemoveIn(string path)
    {
        if (!OperatingSystem.IsWindows()) Unlink(DiskCall.RemoveFolder, path, OpenFlags.RemoveFolder);
        else if (LocalLinks.IsLink(path)) throw HasChanged(path, path);
        else DiskDirectories.Remove(path);
    }

    private void Unlink(DiskCall call, string path, int flags)
    {
        DiskFaults.Check(call, path);
        if (Libc.Unlink(_folder!, Path.GetFileName(path), flags) != 0)
            throw Errno.LastException(path, isFolder: call == DiskCall.RemoveFolder);
    }

    private void Enter(string folder, string path)
    {
        _folder?.Dispose();
        (_folder, _opened) = (null, null);
        var names = folder.Split(Path.DirectorySeparatorChar, StringSplitOptions.RemoveEmptyEntries);
        var at = _root;
        if (OperatingSystem.IsWindows())
        {
            foreach (var name in names)
            {
                at = Path.Join(at, name);
                if (LocalLinks.IsLink(at)) throw HasChanged(path, at);
            }
        }
        else
        {
            var open = Open(Libc.WorkingDirectory, _root, 0, at, path);
            foreach (var name in names)
            {
                at = Path.Join(at, name);
                using var above = open;
                open = Open((int)above.DangerousGetHandle(), name, OpenFlags.NoFollow, at, path);
            }
            _folder = open;
        }
        _opened = folder;
    }

    private static SafeFileHandle Open(int above, string name, int flags, string at, string path)
    {
        var scripted = DiskFaults.Of(DiskCall.Open, at);
        var descriptor = scripted != 0
            ? -1 : Libc.OpenAt(above, name, OpenFlags.PathOnly | OpenFlags.Folder | OpenFlags.CloseOnExec | flags);
        if (descriptor >= 0) return new SafeFileHandle(descriptor, ownsHandle: true);
        var errno = scripted != 0 ? scripted : Errno.Last;
        // Opening a link as a folder fails as no folder, or as one link too many.
        if (flags != 0 && (errno == Errno.NotFolder || errno == Errno.LinkLoop)) throw HasChanged(path, at);
        throw Errno.ToException(errno, at, isFolder: true);
    }

    private static TransferException HasChanged(string path, string folder) =>
        new(TransferError.Denied, $"{path} is not deleted: {folder} has become a link, or is no folder any more.");
}
