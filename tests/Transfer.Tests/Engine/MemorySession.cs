using System.Runtime.CompilerServices;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Tests.Engine;

/// <summary>The small provider that proves <see cref="OneAtATimeSession"/>: plain operations on a <see cref="MemoryStore"/>.</summary>
internal class MemorySession : OneAtATimeSession, IRenamer
{
    private const int Chunk = 4096;

    private readonly bool _countsItself;
    private bool _lost;
    private bool _closed;

    public MemorySession(MemoryStore store, bool countsItself = true)
    {
        Store = store;
        _countsItself = countsItself;
        if (countsItself) store.Open();
    }

    public MemoryStore Store { get; }

    protected override TimeProvider TimeProvider => Store.Time;

    public override bool Usable => !_lost && !_closed;

    public override TransferFeatures Features =>
        new()
        {
            Server = "memory",
            TimePrecision = Store.Precision,
            RenameReplaces = true,
            CopiesFiles = Store.Copies,
            SetsModified = Store.KeepsTimes
        };

    public override async IAsyncEnumerable<RemoteEntry> ListAsync(string directory, ListingReport report,
        [EnumeratorCancellation] CancellationToken ct)
    {
        var names = await DoAsync("list", directory, () => Store.Children(directory), ct);
        // Another session may have renamed or deleted some of them since.
        var given = 0;
        foreach (var name in names.Where(name => !Store.Unlisted.Contains(name)))
        {
            if (given++ == Store.ListingLimit)
            {
                report.AddGap("truncated");
                break;
            }
            if (Store.Describe(name) is { } entry) yield return entry;
        }
        foreach (var extra in Store.Extra.Where(entry => entry.Path.StartsWith(directory + "/", StringComparison.Ordinal)))
            yield return extra;
        if (Store.Gaps.TryGetValue(directory, out var gap)) report.AddGap(gap);
        if (Store.HidesEmptiness && given == 0) report.DoubtEmptiness();
    }

    public override async ValueTask<RemoteEntry?> GetEntryAsync(string path, CancellationToken ct) =>
        await DoAsync("stat", path,
            () => Store.IsBlind ? throw new TransferException(TransferError.Unsupported, "no looks here") : Store.Describe(path), ct);

    public override async ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<string> paths,
        CancellationToken ct)
    {
        var outcomes = new List<DirectoryOutcome>();
        foreach (var path in paths)
        {
            try
            {
                outcomes.Add(new() { Created = await DoAsync("mkdir", path, () => Store.CreateDirectory(path), ct) });
            }
            catch (TransferException e) when (e is not TransferConnectionException)
            {
                outcomes.Add(new() { Error = e });
            }
        }
        return outcomes;
    }

    public override ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        EachAsync("delete", paths, Store.DeleteFile, ct);

    public override ValueTask<IReadOnlyList<TransferException?>> RemoveDirectoriesAsync(IReadOnlyList<string> paths,
        CancellationToken ct) =>
        EachAsync("rmdir", paths, Store.RemoveDirectory, ct);

    public override async ValueTask RenameAsync(Renaming renaming, CancellationToken ct)
    {
        await SetBeforeRenameAsync(renaming, ct);
        var result = await ReplacementDriver.RunAsync(renaming, this, Store.Renames, Store.Time, ct);
        if (result.Error is { } error) throw error;
    }

    async ValueTask<IReadOnlyList<RenameReply>> IRenamer.RenameAsync(IReadOnlyList<ReplacementStep.Rename> renames, CancellationToken ct)
    {
        var replies = new List<RenameReply>();
        foreach (var rename in renames)
        {
            try
            {
                await DoAsync("move", rename.To, () => { Store.Move(rename.From, rename.To, rename.Replaces); return true; }, ct);
                replies.Add(new(RenameAnswer.Done));
            }
            catch (TransferException e) when (e is not TransferConnectionException)
            {
                replies.Add(new(RenameAnswer.Denied, e));
            }
        }
        return replies;
    }

    async ValueTask<IReadOnlyList<NameSight>> IRenamer.LookAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        [.. (await GetEntriesAsync(paths, ct)).Select(NameSight.Of)];

    async ValueTask<TransferException?> IRenamer.DeleteAsync(string path, CancellationToken ct) => (await DeleteFilesAsync([path], ct))[0];

    public override async ValueTask SetMetadataAsync(string path, FileMetadata metadata, CancellationToken ct) =>
        await DoAsync("set", path, () =>
    {
        if (metadata.Modified is { } modified) Store.SetModified(path, modified);
        return true;
    }, ct);

    public override async ValueTask<IReadOnlyList<TransferException?>> CreateLinksAsync(IReadOnlyList<SymbolicLink> links,
        CancellationToken ct)
    {
        if (!Store.HasLinks) return await base.CreateLinksAsync(links, ct);
        var byPath = links.ToDictionary(link => link.Path);
        return await EachAsync("link", [.. byPath.Keys],
            path => Store.CreateLink(path, byPath[path].Target, byPath[path].Replace, byPath[path].Metadata?.Modified), ct);
    }

    public override async ValueTask<IReadOnlyList<LinkOutcome>> ReadLinksAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        !Store.HasLinks
        ? await base.ReadLinksAsync(paths, ct)
        : await DoAsync("readlinks", paths[0],
            () => paths.Select(
            path => new LinkOutcome
            { Entry = Store.Describe(path)! with { LinkTarget = Store[Store.Real(path, follow: false)!]!.LinkTarget } }).ToArray(), ct);

    public override async ValueTask<IReadOnlyList<LinkOutcome>> FollowLinksAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        !Store.HasLinks
        ? await base.FollowLinksAsync(paths, ct)
        : await DoAsync("follow", paths[0],
            () => paths.Select(
            path => new LinkOutcome
            { Entry = Store.Real(path) is { } real && Store[real] is { } node ? MemoryStore.Describe(real, node) : null }).ToArray(),
                ct);

    public override async ValueTask<WorkOutcome.Done?> CopyFileAsync(FileCopy copy, CancellationToken ct)
    {
        var refused = false;
        var copied = await DoAsync("copy", copy.Source, () =>
        {
            if (!Store.Copies) return 0L;
            var node = Store[copy.Source] ?? throw new TransferException(TransferError.NotFound, "gone");
            Store.CreateFile(copy.TemporaryPath!).Content = node.Content;
            copy.Moved?.Invoke(node.Content.Length / 2);
            return node.Content.Length;
        }, ct);
        refused = !Store.Copies || await DoAsync("copied", copy.Source, () => Store.Refuses, ct);
        if (refused)
        {
            if (Store.Copies) Store.DeleteFile(copy.TemporaryPath!);
            return null;
        }
        await RenameAsync(new Renaming(copy.TemporaryPath!, copy.Target) { IsTemporary = true, Replace = copy.Replace }, ct);
        if (copy.Metadata is { } metadata) await SetMetadataAsync(copy.Target, metadata, ct);
        return new WorkOutcome.Done(copied, copy.Verify);
    }

    public override async ValueTask<string?> HashAsync(string path, string algorithm, CancellationToken ct) =>
        !Store.Hashes || algorithm != "SHA-256"
        ? null
        : await DoAsync("hash", path, () => Convert.ToHexStringLower(System.Security.Cryptography.SHA256.HashData(Store[path]!.Content)),
            ct);

    public override ValueTask DisposeAsync()
    {
        if (!_closed && _countsItself) Store.Close();
        _closed = true;
        return default;
    }

    protected override async Task UploadAsync(string path, Stream content, WorkItem item, CancellationToken ct)
    {
        var node = await DoAsync("upload", item.Path, () => Store.CreateFile(path), ct);
        var buffer = new byte[Chunk];
        int read;
        while ((read = await content.ReadAsync(buffer, ct)) > 0)
        {
            ct.ThrowIfCancellationRequested();
            var passed = Store.Faults.Pass(read);
            node.Write(node.Length, buffer.AsSpan(0, passed));
            if (passed < read) Lose();
        }
        await DoAsync("uploaded", item.Path, () => true, ct);
    }

    protected override async Task DownloadAsync(string path, Stream destination, WorkItem item, CancellationToken ct)
    {
        var content = await DoAsync("download", path, () => Store.Real(path) is { } real && Store[real] is { IsDirectory: false } node
            ? node.Content
            : throw new TransferException(TransferError.NotFound, $"{path} does not exist.") { RemotePath = path }, ct);
        var end = (int)Math.Min(item.End, content.Length);
        for (var at = (int)Math.Min(item.Offset, end); at < end;)
        {
            ct.ThrowIfCancellationRequested();
            var size = Math.Min(Chunk, end - at);
            var passed = Store.Faults.Pass(size);
            await destination.WriteAsync(content.AsMemory(at, passed), ct);
            at += passed;
            if (passed < size) Lose();
        }
        await DoAsync("downloaded", path, () => true, ct);
    }

    /// <summary>What goes wrong with an operation that is about to be done; null: nothing.</summary>
    protected virtual Fault? FaultOf(string operation, string path) => Store.Faults.Next(operation, path);

    private async Task<T> DoAsync<T>(string operation, string path, Func<T> action, CancellationToken ct)
    {
        await Task.Yield();
        ct.ThrowIfCancellationRequested();
        if (!Usable) throw new TransferConnectionException(TransferError.Lost, "The session is gone.");
        var fault = FaultOf(operation, path);
        if (fault?.Hold is { } hold) await hold(ct);
        if (fault?.Refuse is { } refusal) throw refusal;
        if (fault is { LoseBefore: true }) Lose();
        var result = action();
        if (fault?.HoldAfter is { } answer) await answer(ct);
        if (fault is { LoseAfter: true }) Lose();
        return result;
    }

    private void Lose()
    {
        _lost = true;
        throw new TransferConnectionException(TransferError.Lost, "scripted: the connection was lost");
    }

    private async ValueTask<IReadOnlyList<TransferException?>> EachAsync(string operation, IReadOnlyList<string> paths,
        Action<string> action, CancellationToken ct)
    {
        var outcomes = new List<TransferException?>();
        foreach (var path in paths)
        {
            try
            {
                await DoAsync(operation, path, () => { action(path); return true; }, ct);
                outcomes.Add(null);
            }
            catch (TransferException e) when (e is not TransferConnectionException)
            {
                outcomes.Add(e);
            }
        }
        return outcomes;
    }
}
