using System.Runtime.CompilerServices;
using Transfer.Engine.Files;
using Transfer.Engine.Jobs;
using Transfer.Local;

namespace Transfer.Engine.Backups;

/// <summary>The folder to which a job moves entries instead of replacing or deleting them. No backup is ever replaced.</summary>
internal abstract class BackupFolder : IBackupFolder
{
    private protected BackupFolder(string path, string? within) => (Path, Within) = (path, within);

    /// <summary>The path on the target's side.</summary>
    public string Path { get; }

    /// <summary>The path relative to the job's folder, with forward slashes; null: outside the job's folder.</summary>
    public string? Within { get; }

    /// <summary>
    /// Moves files and links away, by their paths relative to the job's folder; an error or null for each, in order. An absent entry needs
    /// no backup.
    /// </summary>
    public abstract ValueTask<IReadOnlyList<TransferException?>> TakeAsync(IReadOnlyList<string> paths, CancellationToken ct);

    /// <inheritdoc/>
    public abstract ValueTask<string?> TakeAsync(string path, CancellationToken ct);

    /// <inheritdoc/>
    public abstract ValueTask<bool> PutBackAsync(string backup, string path);

    /// <summary>Returns the backup folder at a server that the options name; null: they name none.</summary>
    /// <param name="folder">The value of the option.</param>
    /// <param name="root">The absolute path to which the folder is relative.</param>
    /// <param name="job">The job that moves the files.</param>
    /// <param name="property">The option.</param>
    /// <exception cref="ArgumentException">The folder is no path, or is the root.</exception>
    public static RemoteBackup? Remote(
        string? folder, string root, EngineJob job, [CallerArgumentExpression(nameof(folder))] string property = "") =>
        Remote(folder, root, job, job.Dispatcher, property);

    /// <inheritdoc cref="Remote(string?, string, EngineJob, string)"/>
    /// <param name="folder">The value of the option.</param>
    /// <param name="root">The absolute path to which the folder is relative.</param>
    /// <param name="owner">The owner of the dispatcher.</param>
    /// <param name="dispatcher">The dispatcher of the sessions that move the files.</param>
    /// <param name="property">The option.</param>
    public static RemoteBackup? Remote(string? folder, string root, IDispatcherOwner owner, Dispatcher dispatcher,
        [CallerArgumentExpression(nameof(folder))] string property = "")
    {
        if (folder is null) return null;
        // The spelling of listings.
        var named = string.Join('/', folder.Split('/').Where(name => name is not ("" or ".")));
        var path = RemotePath.Resolve(root, folder.StartsWith('/') ? "/" + named : named);
        if (RemotePath.ByNames(path) == RemotePath.ByNames(root)) throw IsTarget(property);
        return new RemoteBackup(owner, dispatcher, root, path, RemotePath.Below(root, path));
    }

    /// <summary>Returns the local backup folder that the options name; null: they name none.</summary>
    /// <inheritdoc cref="Remote(string?, string, EngineJob, string)"/>
    public static LocalBackup? Local(string? folder, string root, [CallerArgumentExpression(nameof(folder))] string property = "")
    {
        if (folder is null) return null;
        root = LocalPath.Full(root);
        var path = System.IO.Path.TrimEndingDirectorySeparator(System.IO.Path.GetFullPath(folder, root));
        if (path == System.IO.Path.TrimEndingDirectorySeparator(root)) throw IsTarget(property);
        var within = LocalLinks.IsInside(path, root)
            ? System.IO.Path.GetRelativePath(root, path).Replace(System.IO.Path.DirectorySeparatorChar, '/')
            : null;
        return new LocalBackup(root, path, within);
    }

    private static ArgumentException IsTarget(string property)
    {
        property = property[(property.LastIndexOf('.') + 1)..];
        return new($"TransferOptions.{property} must be another folder than the job's own.", property);
    }
}
