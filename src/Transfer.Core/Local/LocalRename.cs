using Transfer.Local.Native;

namespace Transfer.Local;

/// <summary>Gives finished files their names.</summary>
internal static class LocalRename
{
    /// <summary>Renames a file, without copying, as .NET does between file systems: half a file would stand under the name
    /// meanwhile.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Unsupported"/>: the two are on different file systems.</exception>
    /// <exception cref="IOException">The system refuses.</exception>
    public static void Move(string from, string to, bool replace)
    {
        if (OperatingSystem.IsWindows())
        {
            // A volume mounted in a folder is not detected here.
            if (!string.Equals(Path.GetPathRoot(from), Path.GetPathRoot(to), StringComparison.OrdinalIgnoreCase))
                throw CreateOtherFileSystemError(from, to);
            if (replace) DiskFiles.Rename(from, to);
            else File.Move(from, to, overwrite: false);
            return;
        }
        if (!replace)
        {
            // A second name is refused where a file exists, even one that came just now; a rename would replace that file.
            var linked = DiskFiles.TryLink(from, to);
            if (linked == 0) DiskFiles.Delete(from);
            if (linked == 0) return;
            if (linked == Errno.OtherFileSystem) throw CreateOtherFileSystemError(from, to);
            // Some file systems have no second names.
            if (linked == Errno.Exists || !FileStatus.IsAbsent(to)) throw Errno.ToException(Errno.Exists, to);
        }
        var errno = DiskFiles.TryRename(from, to);
        if (errno == Errno.OtherFileSystem) throw CreateOtherFileSystemError(from, to);
        // A folder is in the way.
        if (errno == Errno.IsFolder) throw Errno.ToException(Errno.Exists, to);
        if (errno != 0) throw Errno.ToException(errno, errno == Errno.NotFound ? from : to);
    }

    private static TransferException CreateOtherFileSystemError(string from, string to) =>
        new(TransferError.Unsupported, $"{from} cannot become {to}: that is on another file system.");
}
