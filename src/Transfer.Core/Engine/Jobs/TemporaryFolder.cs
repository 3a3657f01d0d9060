using Transfer.Local;
using Transfer.Sessions;

namespace Transfer.Engine.Jobs;

/// <summary>The folder of a job's partial files, when that is not the targets' own. Created before the first of them.</summary>
internal sealed class TemporaryFolder
{
    private readonly Lazy<Task> _ready;

    private TemporaryFolder(string path, string? within, Func<string, Task> prepare)
    {
        Path = path;
        Within = within;
        _ready = new(() => prepare(path));
    }

    /// <summary>The path of the folder at the target.</summary>
    public string Path { get; }

    /// <summary>The path relative to the job's folder, with forward slashes; null: outside the job's folder.</summary>
    public string? Within { get; }

    /// <summary>Returns the path of a folder at a server that the options name; null: they name none.</summary>
    /// <param name="folder">The value of <see cref="TransferOptions.TemporaryDirectory"/>.</param>
    /// <param name="root">The absolute path to which the folder is relative.</param>
    /// <exception cref="ArgumentException">The folder is no path.</exception>
    public static string? Remote(string? folder, string root)
    {
        if (folder is null) return null;
        // The spelling of listings.
        var path = string.Join('/', folder.Split('/').Where(name => name is not ("" or ".")));
        return RemotePath.Resolve(root, folder.StartsWith('/') ? "/" + path : path);
    }

    /// <summary>Returns the path of a local folder that the options name; null: they name none.</summary>
    /// <inheritdoc cref="Remote(string?, string)"/>
    public static string? Local(string? folder, string root) =>
        folder is null ? null : System.IO.Path.GetFullPath(folder, LocalPath.Full(root));

    /// <summary>Returns the temporary folder of a job that fills a server's folder; null: the options name none.</summary>
    public static TemporaryFolder? Remote(EngineJob job, DirectoryJobOptions options, string root)
    {
        if (Remote(options.TemporaryDirectory, root) is not { } path) return null;
        return new(path, RemotePath.Below(root, path), folder => MakeAsync(job, folder));
    }

    /// <summary>Returns the temporary folder of a job that fills a local folder; null: the options name none.</summary>
    public static TemporaryFolder? Local(EngineJob job, DirectoryJobOptions options, string root)
    {
        root = LocalPath.Full(root);
        if (Local(options.TemporaryDirectory, root) is not { } path) return null;
        var within = LocalLinks.IsInside(path, root)
            ? System.IO.Path.GetRelativePath(root, path).Replace(System.IO.Path.DirectorySeparatorChar, '/') : null;
        return new(path, within, folder => Make(job, folder));
    }

    /// <summary>Waits until the folder exists, without leftovers of earlier runs of the job.</summary>
    /// <exception cref="TransferException">The folder can't be created.</exception>
    public Task ReadyAsync() => _ready.Value;

    private static async Task MakeAsync(EngineJob job, string folder)
    {
        await job.Dispatcher.EnsureAsync(folder, job.Abort).ConfigureAwait(false);
        if (job is not { Journal: { KnowsEarlierRuns: true } journal, Leftovers: { } leftovers }) return;
        var left = await job.Dispatcher.ControlAsync(async (session, ct) =>
        {
            // A leftover that the listing lacks stays: no decision rests on absence, so the report is not needed.
            var names = new List<string>();
            await foreach (var entry in session.ListAsync(folder, new ListingReport(), ct).ConfigureAwait(false))
            {
                if (journal.IsLeftover(entry.Name)) names.Add(entry.Name);
            }
            return names;
        }, retry: true, job.Abort).ConfigureAwait(false);
        if (left.Count > 0) await leftovers.DiscardAsync([.. left.Select(name => RemotePath.Combine(folder, name))]).ConfigureAwait(false);
    }

    private static Task Make(EngineJob job, string folder)
    {
        try
        {
            DiskDirectories.Create(folder);
            if (job.Journal is not { KnowsEarlierRuns: true } journal) return Task.CompletedTask;
            foreach (var name in DiskDirectories.Names(folder))
            {
                if (journal.IsLeftover(name)) DiskFiles.Discard(System.IO.Path.Join(folder, name), job.Logger);
            }
            return Task.CompletedTask;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            return Task.FromException(LocalErrors.Map(e, "Cannot use the temporary folder", folder));
        }
    }
}
