using Transfer.Batch.Archive.Delta;
using Transfer.Local;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>The existing files of a target. Nothing is created, and only files that could be written are read: no links are followed, and
/// files that may not be replaced stay secret.</summary>
internal sealed class FolderBases : IBaseFiles
{
    private readonly string _root;
    private readonly OverwriteMode _overwrite;
    private readonly LocalNames _names;

    private FolderBases(string root, OverwriteMode overwrite)
    {
        _root = root;
        _overwrite = overwrite;
        _names = LocalNames.ThisSystem;
    }

    /// <summary>Opens a folder; null: the folder is missing or empty.</summary>
    /// <param name="root">The folder, an absolute path.</param>
    /// <param name="overwrite">How to treat files that exist.</param>
    public static FolderBases? Of(string root, OverwriteMode overwrite)
    {
        try
        {
            return DiskDirectories.Exists(root) && DiskDirectories.Names(root).Any() ? new FolderBases(root, overwrite) : null;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            // The unpacker reports the error.
            return null;
        }
    }

    public BaseFile Find(string path, long length, long modified)
    {
        try
        {
            if (modified < 0 || modified > DateTime.MaxValue.Ticks || Locate(path) is not { } target
                || FileStatus.Find(target, follow: false) is not { } there)
            {
                return BaseFile.None;
            }

            if (!MayReplace(target, modified, there)) return BaseFile.Skipped;
            if (!there.IsRegular || !BlockShape.IsWorthwhile(there.Length, length)) return BaseFile.None;
            var handle = DiskFiles.Open(target, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            var opened = RandomAccess.GetLength(handle);
            if (BlockShape.IsWorthwhile(opened, length)) return BaseFile.Of(handle, opened);
            handle.Dispose();
            return BaseFile.None;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e) || e is TransferException or ArgumentException)
        {
            // The error is reported when the file arrives.
            return BaseFile.None;
        }
    }

    private bool MayReplace(string target, long modified, in FileStatus there)
    {
        try
        {
            return LocalNewFile.MayReplace(_overwrite, target, new DateTimeOffset(modified, TimeSpan.Zero), there);
        }
        catch (TransferException)
        {
            return false;
        }
    }

    // Null: the path is impossible, or behind a link.
    private string? Locate(string path)
    {
        var at = _root;
        var names = path.Split('/');
        for (var i = 0; i < names.Length; i++)
        {
            if (_names.Refuse(names[i]) is not null || TemporaryNames.IsTemporary(names[i])) return null;
            at = Path.Join(at, names[i]);
            if (i < names.Length - 1 && (LocalLinks.IsLink(at) || !DiskDirectories.Exists(at))) return null;
        }
        return at;
    }
}
