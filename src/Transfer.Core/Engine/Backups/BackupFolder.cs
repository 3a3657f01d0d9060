using Transfer.Engine.Files;
using Transfer.Engine.Jobs;
using Transfer.Local;

namespace Transfer.Engine.Backups;

/// <summary>Where a job moves what it would replace or delete. Nothing in there is ever replaced.</summary>
internal abstract class BackupFolder : IBackupFolder
{
    private protected BackupFolder(string path, string? within) => (Path, Within) = (path, within);

    /// <summary>The path on the target's side.</summary>
    public string Path { get; }

    /// <summary>The path relative to the job's folder, with forward slashes; null: it is not in there.</summary>
    public string? Within { get; }

    /// <summary>
    /// Moves files and links away, by their paths relative to the job's folder; why not, or null, for each, in order.
    /// What is not there needs no backup.
    /// </summary>
    public abstract ValueTask<IReadOnlyList<TransferException?>> TakeAsync(IReadOnlyList<string> paths, CancellationToken ct);

    /// <inheritdoc/>
    public abstract ValueTask<string?> TakeAsync(string path, CancellationToken ct);

    /// <inheritdoc/>
    public abstract ValueTask<bool> PutBackAsync(string backup, string path);

    /// <summary>The one at a server, as the options name it; null: they name none.</summary>
    /// <param name="folder">What the options say.</param>
    /// <param name="root">What it is relative to, absolute.</param>
    /// <param name="job">Whose sessions move the files.</param>
    /// <exception cref="ArgumentException">It is no path, the folder itself, or of no use.</exception>
    public static BackupFolder? There(string? folder, string root, EngineJob job)
    {
        if (folder is null) return null;
        // As listings spell it.
        var named = string.Join('/', folder.Split('/').Where(name => name is not ("" or ".")));
        var path = RemotePath.Resolve(root, folder.StartsWith('/') ? "/" + named : named);
        if (path.TrimEnd('/') == root.TrimEnd('/')) throw IsTarget();
        var prefix = root.TrimEnd('/') + "/";
        return new RemoteBackup(job, root, path, path.StartsWith(prefix, StringComparison.Ordinal) ? path[prefix.Length..] : null);
    }

    /// <summary>The same, here.</summary>
    /// <inheritdoc cref="There"/>
    public static LocalBackup? Here(string? folder, string root)
    {
        if (folder is null) return null;
        root = LocalPath.Full(root);
        var path = System.IO.Path.TrimEndingDirectorySeparator(System.IO.Path.GetFullPath(folder, root));
        if (path == System.IO.Path.TrimEndingDirectorySeparator(root)) throw IsTarget();
        var within = LocalLinks.IsInside(path, root)
            ? System.IO.Path.GetRelativePath(root, path).Replace(System.IO.Path.DirectorySeparatorChar, '/')
            : null;
        return new LocalBackup(root, path, within);
    }

    private static ArgumentException IsTarget() =>
        new("BackupDirectory must not be the folder that is filled.", nameof(TransferOptions.BackupDirectory));
}
