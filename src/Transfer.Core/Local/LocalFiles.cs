using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Engine;

namespace Transfer.Local;

/// <summary>One look at one local path.</summary>
internal static class LocalFiles
{
    /// <summary>Length and modification time of a file that is to be sent; links are followed.</summary>
    /// <exception cref="TransferException">It is absent, not accessible, or no file.</exception>
    public static (long Length, DateTimeOffset Modified) Describe(string path)
    {
        try
        {
            var info = new FileInfo(path);
            if (info.ResolveLinkTarget(returnFinalTarget: true) is FileInfo target) info = target;
            if (Directory.Exists(path)) throw new TransferException(TransferError.Unsupported, $"{path} is a directory.");
            return (info.Length, info.LastWriteTimeUtc);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot read", path);
        }
    }

    /// <summary>Who may read, write and run a file or a folder, without what else stands beside that (set-user-id and the like); null: there is no such thing here, or it can't be read.</summary>
    public static UnixFileMode? ModeOf(string path)
    {
        if (OperatingSystem.IsWindows()) return null;
        try
        {
            return File.GetUnixFileMode(path) & (UnixFileMode)0b111_111_111;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            // Whoever sends it says so.
            return null;
        }
    }

    /// <summary>What is at a path that is to be written; null: nothing. A link is a link here: it would be replaced, not followed.</summary>
    /// <exception cref="TransferException">It cannot be found out.</exception>
    public static TreeEntry? Find(string path)
    {
        // Of most that is received nothing is there.
        if (Disk.IsAbsent(path)) return null;
        try
        {
            var info = new FileInfo(path);
            if (info.LinkTarget is not null) return new(info.Name, RemoteEntryType.Link, -1, info.LastWriteTimeUtc.Ticks);
            if (Directory.Exists(path)) return new(info.Name, RemoteEntryType.Directory, -1, 0);
            if (!info.Exists) return null;
            var type = LocalFileType.IsRegular(path) ? RemoteEntryType.File : RemoteEntryType.Other;
            return new(info.Name, type, info.Length, info.LastWriteTimeUtc.Ticks);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot look at", path);
        }
    }

    /// <summary>Deletes files and links; why not, or null, for each, in order.</summary>
    public static IReadOnlyList<TransferException?> Delete(IEnumerable<string> paths) =>
        [.. paths.Select(path => Try(path, static native =>
        {
            // Windows tells links to folders from others.
            if (OperatingSystem.IsWindows() && LocalLinks.IsLink(native) && Directory.Exists(native)) Directory.Delete(native);
            else File.Delete(native);
        }))];

    /// <summary>Deletes something; why not, or null.</summary>
    public static TransferException? Try(string path, Action<string> delete)
    {
        try
        {
            delete(path);
            return null;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            return LocalErrors.Map(e, "Cannot delete", path);
        }
    }

    /// <summary>Deletes a temporary file of an earlier run; whether it succeeds is told to the log only.</summary>
    public static void Discard(string path, ILogger logger)
    {
        try
        {
            File.Delete(path);
        }
        catch (DirectoryNotFoundException)
        {
            // Gone with its folder.
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            Log.LocalLeftover(logger, path, e.Message);
        }
    }
}
