using System.Text;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Shards;

/// <summary>Parts of a job in any order, more than once, then the last phase: together they do as one job does.</summary>
[TestFixture]
public sealed class ShardJobTests
{
    private static readonly DateTimeOffset Day = new(2026, 11, 1, 0, 0, 0, TimeSpan.Zero);

    private TempFolder _folder = null!;

    [SetUp]
    public void SetUp() => _folder = new();

    [TearDown]
    public void TearDown() => _folder.Dispose();

    [Test]
    public async Task Any_order_and_any_repetition_leave_the_same_as_one_run([Range(1, 20)] int seed)
    {
        var random = new Random(seed);
        Grow(random, "source");
        Grow(random, "one");
        Copy("one", "many");
        var (count, unit) = (random.Next(1, 6), random.Next(2) == 0 ? ShardUnit.File : ShardUnit.Directory);
        await using var client = Open();
        var whole = await SyncAsync(client, "one", null);
        var order = Enumerable.Range(0, count).Concat(Enumerable.Range(0, count).Where(_ => random.Next(3) == 0)).ToArray();
        random.Shuffle(order);
        var sent = 0L;
        foreach (var index in order)
        {
            var part = await SyncAsync(client, "many", new(index, count, unit));
            Assert.That(part.Deleted, Is.Zero, "deletions are the last phase's");
            sent += part.Files;
        }
        var last = await SyncAsync(client, "many", TransferShard.Final);
        Assert.That(last.Files, Is.Zero);
        Assert.That((last.Deleted, sent), Is.EqualTo((whole.Deleted, whole.Files)));
        Assert.That(Tree("many"), Is.EqualTo(Tree("one")).And.EqualTo(Tree("source")));
    }

    [Test]
    public async Task Nothing_is_deleted_while_a_part_is_missing()
    {
        for (var i = 0; i < 20; i++) _folder.Add($"source/{i}", Bytes(i), Day);
        _folder.Add("many/old", Bytes(1), Day);
        await using var client = Open();
        await SyncAsync(client, "many", new(0, 2));
        var last = await client.SynchronizeAsync(_folder["source"], "many", SyncDirection.Up, With(TransferShard.Final)).Soon();
        Assert.That(last.Failures.Select(failure => failure.Error!.Error), Is.Not.Empty.And.All.EqualTo(TransferError.Partial));
        Assert.That(_folder.Files, Does.Contain("many/old"));
        Assert.That(last.Files, Is.Zero);
    }

    [Test]
    public async Task An_upload_in_parts_makes_empty_folders_in_its_last_phase_only()
    {
        for (var i = 0; i < 20; i++) _folder.Add($"source/{i % 3}/{i}", Bytes(i), Day);
        Directory.CreateDirectory(_folder["source/empty/below"]);
        await using var client = Open();
        foreach (var index in (int[])[1, 0])
            await client.UploadDirectoryAsync(_folder["source"], "many", new() { Filter = new() { Shard = new(index, 2) } }).Soon();
        Assert.That(Directory.Exists(_folder["many/empty"]), Is.False);
        var last = await client.UploadDirectoryAsync(_folder["source"], "many", new() { Filter = new() { Shard = TransferShard.Final } })
            .Soon();
        Assert.That((last.Files, last.Skipped), Is.EqualTo((0, 0)));
        Assert.That(Tree("many"), Is.EqualTo(Tree("source")));
    }

    [Test]
    public async Task Links_that_are_followed_lead_each_file_to_its_part([Values] ShardUnit unit)
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("Links need rights there.");
        for (var i = 0; i < 20; i++) _folder.Add($"source/d/{i}", Bytes(i), Day);
        Directory.CreateSymbolicLink(_folder["source/l"], "d");
        await using var client = Open();
        for (var index = 0; index < 3; index++)
        {
            await client.UploadDirectoryAsync(_folder["source"], "many",
                new() { Links = LinkHandling.Follow, Filter = new() { Shard = new(index, 3, unit) } }).Soon();
        }
        Assert.That(TempFolder.FilesIn(_folder["many"]), Has.Length.EqualTo(40));
    }

    [Test]
    public async Task Names_that_differ_in_case_arrive_from_folders_that_no_part_has_made_yet()
    {
        var (from, to) = (new MemoryStore(), new MemoryStore());
        foreach (var path in (string[])["/d/e/a", "/d/E/b"]) from.AddFile(path, [1]);
        await using var source = new MemoryTransferClient(from);
        await using var target = new MemoryTransferClient(to, endpoint: "memory://to/");
        for (var index = 0; index < 3; index++)
        {
            var part = new SyncOptions { Filter = new() { Shard = new(index, 3) } };
            Assert.That((await source.SynchronizeAsync("/", target, "/", part).Soon()).Failures, Is.Empty);
        }
        Assert.That(to.Files, Is.EquivalentTo(from.Files));
    }

    [Test]
    public async Task Parts_run_at_the_same_time_each_with_a_journal_of_its_own()
    {
        for (var i = 0; i < 20; i++) _folder.Add($"source/{i}", Bytes(i), Day);
        await using var client = new LocalTransferClient(
            new Uri(_folder.Path + "/"), new() { JournalDirectory = _folder["journals"] });
        var first = client.StartUploadDirectory(_folder["source"], "many", Resuming(0));
        first.Pause();
        await client.UploadDirectoryAsync(_folder["source"], "many", Resuming(1)).Soon();
        first.Resume();
        await first.Completion.Soon();
        Assert.That(TempFolder.FilesIn(_folder["many"]), Has.Length.EqualTo(20));

        static DirectoryOptions Resuming(int index) => new() { Resume = true, Filter = new() { Shard = new(index, 2) } };
    }

    private static SyncOptions With(TransferShard? shard) =>
        new() { Delete = true, DetectMoves = false, Filter = shard is null ? null : new() { Shard = shard } };

    private async Task<JobResult> SyncAsync(TransferClient client, string target, TransferShard? shard)
    {
        var result = await client.SynchronizeAsync(_folder["source"], target, SyncDirection.Up, With(shard)).Soon();
        Assert.That(result.Failures, Is.Empty);
        return result;
    }

    private static byte[] Bytes(int i) => Encoding.UTF8.GetBytes($"{i}");

    private LocalTransferClient Open() => new(new Uri(_folder.Path + "/"));

    private void Grow(Random random, string root)
    {
        Directory.CreateDirectory(_folder[root]);
        _folder.Add($"{root}/always", Bytes(2), Day);
        for (var i = random.Next(30); i > 0; i--)
        {
            var folder = string.Concat(Enumerable.Range(0, random.Next(4)).Select(_ => $"d{random.Next(3)}/"));
            var (name, content) = ($"f{random.Next(20)}", random.Next(4));
            _folder.Add($"{root}/{folder}{name}", new byte[content], Day.AddHours(content));
        }
        for (var i = random.Next(4); i > 0; i--) Directory.CreateDirectory(_folder[$"{root}/e{random.Next(4)}/e"]);
    }

    private void Copy(string from, string to)
    {
        Directory.CreateDirectory(_folder[to]);
        foreach (var folder in Directory.EnumerateDirectories(_folder[from], "*", SearchOption.AllDirectories))
            Directory.CreateDirectory(folder.Replace(_folder[from], _folder[to], StringComparison.Ordinal));
        foreach (var file in TempFolder.FilesIn(_folder[from]))
            _folder.Add($"{to}/{file}", File.ReadAllBytes(_folder[$"{from}/{file}"]), File.GetLastWriteTimeUtc(_folder[$"{from}/{file}"]));
    }

    // Files with their contents, and folders.
    private List<string> Tree(string root) =>
        [.. Directory.EnumerateFileSystemEntries(_folder[root], "*", SearchOption.AllDirectories)
            .Select(path => Path.GetRelativePath(_folder[root], path) + (Directory.Exists(path) ? "/" : "=" + File.ReadAllText(path)))
            .Order(StringComparer.Ordinal)];
}
