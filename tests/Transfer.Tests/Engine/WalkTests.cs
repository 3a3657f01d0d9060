using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Transfer.Sessions;

namespace Transfer.Tests.Engine;

/// <summary>Walks over sessions that list several directories at the same time.</summary>
[Category(Categories.Slow)]
public sealed class WalkTests
{
    private const int First = 20;
    private const int Second = 10;

    private readonly ConcurrentDictionary<string, int> _listed = new();
    private MemoryStore _store = null!;
    private Func<string, MemorySession, Task> _onList = null!;

    [SetUp]
    public void SetUp()
    {
        _store = new MemoryStore();
        _listed.Clear();
        _onList = (_, _) => Task.CompletedTask;
    }

    // A listing ends only when all of its level are under way: any wait between them would have no end.
    [Test]
    public async Task All_folders_of_a_level_are_listed_in_one_flight_on_one_session(
        [Values("list", "get", "sync up", "sync down")] string work)
    {
        Fill(_store);
        using var here = new TempFolder();
        if (work == "sync up") await CopyHereAsync(here);
        var levels = new Dictionary<int, (int Count, TaskCompletionSource All)>
        {
            [0] = (1, new()),
            [1] = (First, new()),
            [2] = (First * Second, new()),
        };
        var begun = new int[3];
        _onList = async (directory, _) =>
        {
            var level = directory.Count(c => c == '/') - 1;
            if (Interlocked.Increment(ref begun[level]) == levels[level].Count) levels[level].All.SetResult();
            await levels[level].All.Task;
        };
        await using var client = Client(256);
        if (work == "list") Assert.That(await client.ListAsync("/d", new() { Recursive = true }).CountAsync().Soon(), Is.EqualTo(620));
        else Assert.That(await RunAsync(client, here, work).Soon(), Is.EqualTo((work == "sync up" ? 0L : 400L, 0L)));
        Assert.That(begun, Is.EqualTo(new[] { 1, First, First * Second }));
        // Jobs open sessions for files, too.
        if (work == "list") Assert.That(_store.Peak, Is.EqualTo(1));
    }

    [Test]
    public async Task No_more_are_under_way_than_the_session_lists_together()
    {
        Fill(_store);
        var (now, most) = (0, 0);
        _onList = async (_, _) =>
        {
            var count = Interlocked.Increment(ref now);
            lock (_listed) most = Math.Max(most, count);
            await Task.Yield();
            Interlocked.Decrement(ref now);
        };
        await using var client = Client(7);
        await client.ListAsync("/d", new() { Recursive = true }).CountAsync().Soon();
        Assert.That(most, Is.InRange(2, 7));
        Assert.That(_store.Peak, Is.EqualTo(1));
    }

    [TestCase("list", 0L)]
    [TestCase("get", 400L)]
    public async Task Folders_under_way_when_the_session_is_lost_are_listed_again(string work, long files)
    {
        Fill(_store);
        using var here = new TempFolder();
        var begun = 0;
        var lost = 0;
        _onList = (_, session) =>
        {
            if (Interlocked.Increment(ref begun) == 60 && Interlocked.Increment(ref lost) == 1) session.Break(Lost);
            return Task.CompletedTask;
        };
        await using var client = Client(16);
        if (work == "list")
        {
            var paths = await client.ListAsync("/d", new() { Recursive = true }).Select(entry => entry.Path).ToListAsync().Soon();
            Assert.That(paths, Is.Unique.And.Count.EqualTo(620));
        }
        else
        {
            Assert.That(await RunAsync(client, here, work).Soon(), Is.EqualTo((files, 0L)));
        }
        Assert.That(lost, Is.EqualTo(1));
    }

    [Test]
    public async Task Other_work_has_the_only_session_before_a_long_walk_ends()
    {
        for (var i = 0; i < 1000; i++) _store.AddFile($"/d/{i:D4}/f", []);
        await using var client = Client(8, sessions: 1);
        var looked = new TaskCompletionSource();
        var begun = 0;
        Task? look = null;
        _onList = async (_, _) =>
        {
            var count = Interlocked.Increment(ref begun);
            if (count == 10) look = LookAsync();
            if (count > 600) await looked.Task;
        };
        Assert.That(await client.ListAsync("/d", new() { Recursive = true }).CountAsync().Soon(), Is.EqualTo(2000));
        await look!.Soon();

        async Task LookAsync()
        {
            await client.GetEntryAsync("/d");
            looked.SetResult();
        }
    }

    [Test]
    public async Task A_large_tree_is_worth_more_sessions()
    {
        for (var i = 0; i < 2000; i++) _store.AddFile($"/d/{i:D4}/f", []);
        using var here = new TempFolder();
        // Listings that end at once leave a busy machine no moment to open a session in.
        _onList = (_, _) => Task.Delay(1);
        await using var client = Client(8, sessions: 3);
        Assert.That((await client.DownloadDirectoryAsync("/d", here.Path, new() { DryRun = true }).Soon()).Files, Is.EqualTo(2000));
        Assert.That(_store.Peak, Is.EqualTo(3));
    }

    [TestCase("get")]
    [TestCase("sync up")]
    [TestCase("list")]
    public async Task Folders_that_together_exceed_the_memory_are_listed_one_after_the_other(string work)
    {
        using var here = new TempFolder();
        for (var folder = 0; folder < 12; folder++)
        {
            for (var i = 0; i < 1000; i++) _store.AddFile($"/d/{folder}/{i:D5}", []);
        }
        if (work == "sync up") await CopyHereAsync(here);
        await using var client = Client(64, listing: 400_000);
        if (work == "list")
        {
            var paths = new List<string>();
            await foreach (var entry in client.ListAsync("/d", new() { Recursive = true }))
            {
                // Longer than it takes to read as much ahead as there is memory for.
                if (paths.Count % 3000 == 0) await Task.Delay(50);
                paths.Add(entry.Path);
            }
            Assert.That(paths, Is.Unique.And.Count.EqualTo(12_012));
        }
        else
        {
            Assert.That(await RunAsync(client, here, work).Soon(), Is.EqualTo((work == "get" ? 12_000L : 0L, 0L)));
        }
    }

    [Test]
    public async Task A_folder_below_that_cannot_be_listed_is_a_gap_and_the_others_come([Values(1, 16)] int together)
    {
        Fill(_store);
        _onList = (directory, _) => directory == "/d/03"
            ? throw new TransferException(TransferError.Denied, "not yours") { RemotePath = directory } : Task.CompletedTask;
        await using var client = Client(together);
        var paths = new List<string>();
        var error = await Assert.CatchAsync<TransferException>(async () =>
        {
            await foreach (var entry in client.ListAsync("/d", new() { Recursive = true })) paths.Add(entry.Path);
        });
        Assert.That((error!.Error, error.RemotePath), Is.EqualTo((TransferError.Partial, "/d/03")));
        Assert.That(error.Message, Does.Contain("not yours"));
        Assert.That(paths, Has.Count.EqualTo(620 - 30));
        Assert.That(await client.ListAsync("/d", new() { Recursive = true, AcceptPartial = true }).CountAsync(), Is.EqualTo(620 - 30));
    }

    [Test]
    public async Task A_walk_that_is_left_early_gives_its_sessions_back([Values(1, 16)] int together)
    {
        Fill(_store);
        await using var client = Client(together);
        await foreach (var entry in client.ListAsync("/d", new() { Recursive = true }))
        {
            if (entry.Type == RemoteEntryType.File) break;
        }
        Assert.That(await client.GetEntryAsync("/d").Soon(), Is.Not.Null);
    }

    private static TransferConnectionException Lost => new(TransferError.Lost, "gone");

    private static void Fill(MemoryStore store)
    {
        for (var i = 0; i < First; i++)
        {
            for (var j = 0; j < Second; j++)
            {
                for (var k = 0; k < 2; k++) store.AddFile($"/d/{i:D2}/{j:D2}/{k}", [1, 2, 3], Samples.Time);
            }
        }
    }

    private async Task CopyHereAsync(TempFolder here)
    {
        await using var client = new MemoryTransferClient(_store);
        await client.DownloadDirectoryAsync("/d", here.Path);
        await client.DisposeAsync();
        _store.Restart();
    }

    private static async Task<(long Files, long Failed)> RunAsync(MemoryTransferClient client, TempFolder here, string work)
    {
        var result = work switch
        {
            "get" => await client.DownloadDirectoryAsync("/d", here.Path),
            "sync up" => await client.SynchronizeAsync(here.Path, "/d", SyncDirection.Up),
            _ => await client.SynchronizeAsync(here.Path, "/d", SyncDirection.Down),
        };
        return (result.Files, result.Failed);
    }

    private MemoryTransferClient Client(int together, int sessions = 4, long? listing = null)
    {
        var options = new TransferClientOptions { MaxSessions = sessions };
        if (listing is { } most) options = options with { MaxListingBytes = most };
        return new MemoryTransferClient(_store, options, open: store => new TogetherSession(store, together, _onList));
    }

    private sealed class TogetherSession(MemoryStore store, int together, Func<string, MemorySession, Task> onList) : MemorySession(store)
    {
        private volatile bool _isBroken;

        public override bool Usable => !_isBroken && base.Usable;

        public override TransferFeatures Features => base.Features with { ListsTogether = together };

        public override void Break(TransferConnectionException reason) => _isBroken = true;

        public override async IAsyncEnumerable<RemoteEntry> ListAsync(string directory, ListingReport report,
            [EnumeratorCancellation] CancellationToken ct)
        {
            await Task.Yield();
            await onList(directory, this);
            if (_isBroken) throw Lost;
            await foreach (var entry in base.ListAsync(directory, report, ct)) yield return entry;
        }
    }
}
