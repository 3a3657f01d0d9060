using Transfer.Local;

namespace Transfer.Engine.Backups;

/// <summary>A local folder of backups.</summary>
internal sealed class LocalBackup : BackupFolder
{
    private readonly string _root;

    public LocalBackup(string root, string path, string? within)
        : base(path, within) => _root = root;

    public override ValueTask<IReadOnlyList<TransferException?>> TakeAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        new([.. paths.Select(Try)]);

    public override ValueTask<string?> TakeAsync(string path, CancellationToken ct)
    {
        try
        {
            return new(Take(path, isReplaced: false));
        }
        catch (TransferException e)
        {
            return ValueTask.FromException<string?>(e);
        }
    }

    public override ValueTask<bool> PutBackAsync(string backup, string path)
    {
        try
        {
            LocalRename.Move(backup, Native(_root, path), replace: false);
            return new(true);
        }
        catch (Exception e) when (e is TransferException || LocalErrors.IsLocal(e))
        {
            return new(false);
        }
    }

    /// <summary>
    /// Backs up a file that is to be replaced. The old file keeps the name until the new one gets it, where a file can have two
    /// names.
    /// </summary>
    /// <exception cref="TransferException">The backup failed: the old file is still in place.</exception>
    public void Save(string path) => Take(path, isReplaced: true);

    private string? Take(string path, bool isReplaced)
    {
        var from = Native(_root, path);
        try
        {
            if (FileStatus.Find(from, follow: false) is not { } there) return null;
            if (there.IsFolder)
                throw new TransferException(TransferError.Exists, $"{from} is a folder, and in the way of a file.");
            var to = Native(Path, path);
            var (folder, name) = (System.IO.Path.GetDirectoryName(to)!, System.IO.Path.GetFileName(to));
            DiskDirectories.Create(folder);
            while (true)
            {
                try
                {
                    if (!isReplaced || !HasSecondName(from, to)) LocalRename.Move(from, to, replace: false);
                    return to;
                }
                catch (IOException) when (Exists(to) && Exists(from))
                {
                    to = System.IO.Path.Join(folder, BackupNames.Next(name, DiskDirectories.Names(folder)));
                }
            }
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot move into the backup folder", from);
        }
    }

    private static bool HasSecondName(string from, string to) => !OperatingSystem.IsWindows() && DiskFiles.TryLink(from, to) == 0;

    private static bool Exists(string path) => FileStatus.Find(path, follow: false) is not null;

    private static string Native(string folder, string relative) =>
        System.IO.Path.Join(folder, OperatingSystem.IsWindows() ? relative.Replace('/', '\\') : relative);

    private TransferException? Try(string path)
    {
        try
        {
            Take(path, isReplaced: false);
            return null;
        }
        catch (TransferException e)
        {
            return e;
        }
    }
}
