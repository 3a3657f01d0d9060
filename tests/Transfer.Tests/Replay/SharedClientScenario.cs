using Transfer.Engine.Operations;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Replay;

/// <summary>Several jobs share one client's sessions: a folder, files one by one both ways, some of them cancelled.</summary>
internal sealed class SharedClientScenario : ReplayScenario
{
    private readonly MemoryStore _store;
    private readonly Dictionary<string, byte[]> _folder;
    private readonly Dictionary<string, byte[]> _sent;
    private readonly Dictionary<string, byte[]> _old;
    private readonly Dictionary<string, byte[]> _fetched;

    public SharedClientScenario(ReplayWorld world)
        : base(world)
    {
        _store = new MemoryStore { Time = world.Time, SessionLimit = Random.Next(3) == 0 ? 1 + Random.Next(3) : int.MaxValue };
        _folder = Draw("d", most: 15, longest: 10_000);
        _sent = Draw("s", most: 15, longest: 10_000);
        _fetched = Draw("g", most: 10, longest: 10_000);
        _old = DrawOld(_sent, outOf: 3);
        _store.AddDirectory("/in");
        _store.AddDirectory("/single");
        foreach (var (name, content) in _old) _store.AddFile($"/single/{name}", content, Samples.Time);
        foreach (var (name, content) in _fetched) _store.AddFile($"/out/{name}", content, Samples.Time);
        Write(Here, _folder, Samples.Time);
        Write(Singles, _sent, Samples.Time);
    }

    private string Here => Path.Join(World.Disk, "here");

    private string Singles => Path.Join(World.Disk, "singles");

    public override async Task LiveAsync(bool last)
    {
        _store.Restart();
        var drawn = World.DrawOptions();
        var most = Math.Min(drawn.MaxSessions, _store.SessionLimit);
        await using (var client = new ReplayClient("memory://host/", drawn, ct => ReplaySession.OpenAsync(_store, World, "s", ct)))
        {
            var items = new ItemLog(World.Log, name => AreSame(_store[$"/in/{name}"]?.Content, _folder[name]));
            var folder = FolderAsync(client, items, last);
            var sending = _sent.Keys.Select(name => SendAsync(client, name, last));
            Task[] singles = [.. sending, .. _fetched.Keys.Select(name => FetchAsync(client, name, last))];
            var result = await folder;
            items.Check(result, _folder.Count);
            if (last) RequireAll(result);
            // Half of the lives close the client under the files that are still under way.
            if (last || Random.Next(2) == 0) await Task.WhenAll(singles);
            await client.DisposeAsync();
            await Task.WhenAll(singles);
        }
        if (_store.Peak > most) throw new ReplayException($"{_store.Peak} sessions were open at once, of {most}.");
        if (_store.OpenNow != 0 && !World.IsBusy)
            throw new ReplayException($"{_store.OpenNow} sessions are open after the client was disposed.");
    }

    public override void Judge(bool last)
    {
        JudgeFolder("/in", NamesIn("/in"), name => _store[$"/in/{name}"]?.Content, _folder, [], last);
        JudgeFolder("/single", NamesIn("/single"), name => _store[$"/single/{name}"]?.Content, _sent, _old, last);
        JudgeFolder("/out", NamesIn("/out"), name => _store[$"/out/{name}"]?.Content, _fetched, [], last: true);
    }

    private async Task<JobResult?> FolderAsync(ReplayClient client, ItemLog items, bool last)
    {
        using var cancel = new CancellationTokenSource(DrawStop(last, outOf: 3), World.Time);
        int? sessions = Random.Next(2) == 0 ? 1 + Random.Next(3) : null;
        var options = new DirectoryOptions { Overwrite = OverwriteMode.Always, Sessions = sessions };
        return await EndAsync("folder",
            FolderJobs.UploadAsync(client.Engine, Here, "/in", options,
                new TransferJobContext(items: items, cancellationToken: cancel.Token)), last);
    }

    private async Task SendAsync(ReplayClient client, string name, bool last)
    {
        using var cancel = new CancellationTokenSource(DrawStop(last, outOf: 4), World.Time);
        var options = new UploadOptions { Overwrite = OverwriteMode.Always };
        var sending = client.UploadFileAsync(Path.Join(Singles, name), $"/single/{name}", options, null, cancel.Token);
        var sent = await EndAsync($"send {name}", sending, last);
        if (sent is null || AreSame(_store[$"/single/{name}"]?.Content, _sent[name])) return;
        throw new ReplayException($"{name} is told to be there, and is not.");
    }

    private async Task FetchAsync(ReplayClient client, string name, bool last)
    {
        using var cancel = new CancellationTokenSource(DrawStop(last, outOf: 4), World.Time);
        using var into = new MemoryStream();
        var got = await EndAsync($"fetch {name}", client.DownloadAsync($"/out/{name}", into, null, null, cancel.Token), last);
        if (got is not null && !AreSame(into.ToArray(), _fetched[name])) throw new ReplayException($"{name} came as something else.");
    }

    private IEnumerable<string> NamesIn(string folder) =>
        _store.Files.Where(path => RemotePath.GetParent(path) == folder).Select(path => RemotePath.GetName(path));
}
