using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Transfer.Local;
using Transfer.Local.Provider;
using Transfer.Sessions;

namespace Transfer.Tests.Batch.Spool;

/// <summary>A store whose listings can be tampered with, and that tells what it is asked to read.</summary>
internal sealed class WatchedClient(string root) : TransferClient(new Uri(root))
{
    /// <summary>Such entries are not listed.</summary>
    public Func<RemoteEntry, bool> Hides { get; set; } = _ => false;

    /// <summary>Called before a file is read.</summary>
    public Func<string, Task> OnRead { get; set; } = _ => Task.CompletedTask;

    /// <summary>What is told of single files, if not the truth.</summary>
    public Func<RemoteEntry?, RemoteEntry?> Tells { get; set; } = entry => entry;

    public override async ValueTask<RemoteEntry?> GetEntryAsync(string path, CancellationToken ct = default) =>
        Tells(await base.GetEntryAsync(path, ct));

    /// <summary>Called before something is deleted.</summary>
    public Action<string, bool> OnDelete { get; set; } = (_, _) => { };

    public override ValueTask<bool> DeleteAsync(string path, bool recursive = false, CancellationToken ct = default)
    {
        OnDelete(path, recursive);
        return base.DeleteAsync(path, recursive, ct);
    }

    /// <summary>Uploads that were started.</summary>
    public ConcurrentQueue<TransferJob> Uploads { get; } = [];

    public override TransferJob StartUpload(
        Stream source, string remotePath, UploadOptions? options = null, bool readItems = false,
        IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        var upload = base.StartUpload(source, remotePath, options, readItems, progress, cancellationToken);
        Uploads.Enqueue(upload);
        return upload;
    }

    /// <summary>Called before a folder is made.</summary>
    public Func<string, Task> OnCreate { get; set; } = _ => Task.CompletedTask;

    public override async ValueTask CreateDirectoryAsync(string path, bool parents = true, CancellationToken ct = default)
    {
        await OnCreate(path);
        await base.CreateDirectoryAsync(path, parents, ct);
    }

    public override async IAsyncEnumerable<RemoteEntry> ListAsync(string path, ListOptions? options = null,
        [EnumeratorCancellation] CancellationToken ct = default)
    {
        await foreach (var entry in base.ListAsync(path, options, ct))
        {
            if (!Hides(entry)) yield return entry;
        }
    }

    public override async ValueTask<Stream> OpenReadAsync(string path, ReadOptions? options = null, CancellationToken ct = default)
    {
        await OnRead(path);
        return await base.OpenReadAsync(path, options, ct);
    }

    protected override ValueTask<TransferSession> OpenSessionAsync(CancellationToken ct) =>
        new(new LocalSession(new LocalRoot(string.Empty, BasePath, false)));
}
