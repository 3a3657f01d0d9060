using Transfer.Engine.Operations;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Replay;

/// <summary>
/// Two servers, two clients, and a copy in each direction at once: neither may wait for sessions or buffers that the other has.
/// </summary>
internal sealed class OppositeCopiesScenario : ReplayScenario
{
    private readonly MemoryStore[] _stores;
    private readonly Dictionary<string, byte[]>[] _files;
    private readonly Dictionary<string, byte[]>[] _old;

    public OppositeCopiesScenario(ReplayWorld world)
        : base(world)
    {
        _stores = [Store(), Store()];
        _files = [Draw("a", most: 12, longest: 30_000), Draw("b", most: 12, longest: 30_000)];
        _old = [DrawOld(_files[0], outOf: 4), DrawOld(_files[1], outOf: 4)];
        for (var from = 0; from < 2; from++)
        {
            foreach (var (name, content) in _files[from]) _stores[from].AddFile($"/mine/{name}", content, Samples.Time.AddDays(1));
            foreach (var (name, content) in _old[from]) _stores[1 - from].AddFile($"/theirs/{name}", content, Samples.Time);
            _stores[from].AddDirectory("/theirs");
        }
    }

    public override async Task LiveAsync(bool last)
    {
        foreach (var store in _stores) store.Restart();
        // A limit that a server turns out to have, when both copies have sessions already, costs them a wait of IdleTimeout, and an
        // attempt.
        if (last) foreach (var store in _stores) store.SessionLimit = int.MaxValue;
        await using (var a = Client(0))
        await using (var b = Client(1))
        {
            await Task.WhenAll(CopyAsync(a, b, 0, last), CopyAsync(b, a, 1, last));
        }
        if (_stores.Any(store => store.OpenNow != 0 && !World.IsBusy))
            throw new ReplayException("Sessions are open after the clients were disposed.");
    }

    public override void Judge(bool last)
    {
        for (var from = 0; from < 2; from++)
        {
            var target = _stores[1 - from];
            var names = NamesIn(target, "/theirs");
            JudgeFolder($"server {1 - from}", names, name => target[$"/theirs/{name}"]?.Content, _files[from], _old[from], last);
            var source = _stores[from];
            JudgeFolder($"source {from}", NamesIn(source, "/mine"), name => source[$"/mine/{name}"]?.Content, _files[from], [], last: true);
        }
    }

    private MemoryStore Store() => new() { Time = World.Time, SessionLimit = Random.Next(3) == 0 ? 1 + Random.Next(3) : int.MaxValue };

    private static IEnumerable<string> NamesIn(MemoryStore store, string folder) =>
        store.Files.Where(path => RemotePath.GetParent(path) == folder).Select(path => RemotePath.GetName(path));

    private ReplayClient Client(int server) => new(
        $"memory://host{server}/", World.DrawOptions(), ct => ReplaySession.OpenAsync(_stores[server], World, server == 0 ? "a" : "b", ct));

    private async Task CopyAsync(ReplayClient from, ReplayClient to, int which, bool last)
    {
        using var cancel = new CancellationTokenSource(DrawStop(last, outOf: 6), World.Time);
        var target = _stores[1 - which];
        var items = new ItemLog(World.Log, name => AreSame(target[$"/theirs/{name}"]?.Content, _files[which][name]));
        int? sessions = Random.Next(2) == 0 ? 1 + Random.Next(3) : null;
        var options = new DirectoryOptions { Overwrite = OverwriteMode.Always, Sessions = sessions };
        var result = await EndAsync($"copy {which}",
            CopyJobs.CopyDirectoryAsync(from.Engine, "/mine", to.Engine, "/theirs", options,
                new TransferJobContext(items: items, cancellationToken: cancel.Token)), last);
        items.Check(result, _files[which].Count);
        if (last) RequireAll(result);
    }
}
