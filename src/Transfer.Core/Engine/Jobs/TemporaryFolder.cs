using Transfer.Local;
using Transfer.Sessions;

namespace Transfer.Engine.Jobs;

/// <summary>Where the unfinished files of a folder's job are, when that is not beside their targets. It is made before the first of them.</summary>
internal sealed class TemporaryFolder
{
    private readonly Lazy<Task> _ready;

    private TemporaryFolder(string path, string? within, Func<string, Task> prepare)
    {
        Path = path;
        Within = within;
        _ready = new(() => prepare(path));
    }

    /// <summary>Its path at the target.</summary>
    public string Path { get; }

    /// <summary>Its path relative to the job's folder, with forward slashes; null: it is not in there.</summary>
    public string? Within { get; }

    /// <summary>A folder at a server, as the options name it. Null: they name none.</summary>
    /// <param name="folder">What <see cref="TransferOptions.TemporaryDirectory"/> says.</param>
    /// <param name="root">What it is relative to, absolute.</param>
    /// <exception cref="ArgumentException">It is no path.</exception>
    public static string? There(string? folder, string root)
    {
        if (folder is null) return null;
        // As listings spell it.
        var path = string.Join('/', folder.Split('/').Where(name => name is not ("" or ".")));
        return RemotePath.Resolve(root, folder.StartsWith('/') ? "/" + path : path);
    }

    /// <summary>The same, here.</summary>
    /// <inheritdoc cref="There(string?, string)"/>
    public static string? Here(string? folder, string root) => folder is null ? null : System.IO.Path.GetFullPath(folder, LocalPath.Full(root));

    /// <summary>The one of a job that fills a server's folder; null: the options name none.</summary>
    public static TemporaryFolder? There(EngineJob job, DirectoryJobOptions options, string root)
    {
        if (There(options.TemporaryDirectory, root) is not { } path) return null;
        var prefix = root.TrimEnd('/') + "/";
        return new(path, path.StartsWith(prefix, StringComparison.Ordinal) ? path[prefix.Length..] : null, folder => MakeAsync(job, folder));
    }

    /// <summary>The one of a job that fills a local folder; null: the options name none.</summary>
    public static TemporaryFolder? Here(EngineJob job, DirectoryJobOptions options, string root)
    {
        root = LocalPath.Full(root);
        if (Here(options.TemporaryDirectory, root) is not { } path) return null;
        var within = LocalLinks.IsInside(path, root) ? System.IO.Path.GetRelativePath(root, path).Replace(System.IO.Path.DirectorySeparatorChar, '/') : null;
        return new(path, within, folder => Make(job, folder));
    }

    /// <summary>It is there, and has nothing that earlier runs of the job have left.</summary>
    /// <exception cref="TransferException">It can't be made.</exception>
    public Task ReadyAsync() => _ready.Value;

    private static async Task MakeAsync(EngineJob job, string folder)
    {
        await job.Dispatcher.EnsureAsync(folder, job.Abort).ConfigureAwait(false);
        if (job.Journal is not { KnowsEarlierRuns: true } journal) return;
        var left = await job.Dispatcher.ControlAsync(async (session, ct) =>
        {
            // What the listing lacks is not cleaned up: nothing is decided by absence, so the report is of no interest.
            var names = new List<string>();
            await foreach (var entry in session.ListAsync(folder, new ListingReport(), ct).ConfigureAwait(false))
            {
                if (journal.IsLeftover(entry.Name)) names.Add(entry.Name);
            }
            return names;
        }, retry: true, job.Abort).ConfigureAwait(false);
        if (left.Count > 0) await job.DiscardAsync([.. left.Select(name => RemotePath.Combine(folder, name))]).ConfigureAwait(false);
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
