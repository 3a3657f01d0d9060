namespace Transfer.Local;

/// <summary>One look at one local path.</summary>
internal static class LocalFiles
{
    /// <summary>Length, modification time and permissions of a file that is to be sent; links are followed.</summary>
    /// <exception cref="TransferException">The file is absent, not accessible, or no file.</exception>
    public static (long Length, DateTimeOffset Modified, UnixFileMode? Mode) Describe(string path)
    {
        try
        {
            var status = FileStatus.Find(path, follow: true) ?? throw new FileNotFoundException($"Could not find file '{path}'.", path);
            if (status.IsFolder) throw new TransferException(TransferError.Unsupported, $"{path} is a directory.");
            return (status.Length, status.Modified, OperatingSystem.IsWindows() ? null : status.Mode);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot read", path);
        }
    }

    /// <summary>The nine permission bits of a file or a folder, without set-user-id and the like; null: the system has none, or they can't
    /// be read.</summary>
    public static UnixFileMode? ModeOf(string path)
    {
        if (OperatingSystem.IsWindows()) return null;
        try
        {
            return FileStatus.Find(path, follow: true)?.Mode & (UnixFileMode)0b111_111_111;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            // Sending the file will report the error.
            return null;
        }
    }

    /// <summary>The entry at a path that is to be written; null: none. A link is a link here: it would be replaced, not followed.</summary>
    /// <exception cref="TransferException">The system cannot determine the entry.</exception>
    public static TreeEntry? Find(string path)
    {
        try
        {
            return FileStatus.Find(path, follow: false) is { } status ? EntryOf(path, status) : null;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot look at", path);
        }
    }

    /// <summary>The entry of a path that is to be written, from a status.</summary>
    public static TreeEntry EntryOf(string path, in FileStatus status)
    {
        var isFile = status.Type is RemoteEntryType.File or RemoteEntryType.Other;
        return new(Path.GetFileName(path), status.Type, isFile ? status.Length : -1, status.IsFolder ? 0 : status.ModifiedTicks);
    }

    /// <summary>Deletes files and links; returns the reason of each failure, or null, in order.</summary>
    public static IReadOnlyList<TransferException?> Delete(IEnumerable<string> paths) =>
        [.. paths.Select(path => TryDelete(path, DiskFiles.Delete))];

    /// <summary>Deletes an entry; returns the reason of a failure, or null.</summary>
    public static TransferException? TryDelete(string path, Action<string> delete)
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
}
