using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Foreign.Checks;

/// <summary>Folders, by several sessions.</summary>
internal static class FolderChecks
{
    private const int Sessions = 8;
    private const int Files = 60;

    // In the last half year: lists have the minute then, and else only the day.
    private static readonly DateTime Recent = DateTime.UtcNow.Date.AddDays(-20).AddHours(11).AddMinutes(17).AddSeconds(42);

    public static IReadOnlyList<Check> All { get; } =
    [
        new("a folder up", UpAsync),
        new("a folder down", DownAsync),
        new("200 files up by 8 sessions", ManyUpAsync),
        new("200 files down by 8 sessions", ManyDownAsync),
        new("sync up: the second moves nothing", SyncUpAsync),
        new("sync down: the second moves nothing", SyncDownAsync),
        new("sync --delete, up", SyncDeletesAsync),
    ];

    private static async Task UpAsync(Round round)
    {
        var source = Tree(round, "source", Files);
        await using var client = round.Client();
        var result = await client.UploadDirectoryAsync(source, round.At("tree"));
        AssertWhole(result, Files);
        Assert.That(TestTree.Differences(source, round.Disk("tree"), TimeSpan.MaxValue), Is.Empty);
    }

    private static async Task DownAsync(Round round)
    {
        Plant(round, Files);
        var target = Path.Combine(round.Scratch, "target");
        await using var client = round.Client();
        var result = await client.DownloadDirectoryAsync(round.At("tree"), target);
        AssertWhole(result, Files);
        Assert.That(TestTree.Differences(round.Disk("tree"), target, TimeSpan.MaxValue), Is.Empty);
    }

    private static async Task ManyUpAsync(Round round)
    {
        for (var i = 0; i < 200; i++) round.LocalFile($"source/{i % 5}/{i}", Bytes.Random(i * 40, i));
        await using var client = round.Client(options => options with { MaxSessions = Sessions });
        var result = await client.UploadDirectoryAsync(Path.Combine(round.Scratch, "source"), round.At("tree"));
        AssertWhole(result, 200);
        Assert.That(TestTree.Differences(Path.Combine(round.Scratch, "source"), round.Disk("tree"), TimeSpan.MaxValue), Is.Empty);
    }

    private static async Task ManyDownAsync(Round round)
    {
        for (var i = 0; i < 200; i++)
        {
            Directory.CreateDirectory(round.Disk($"tree/{i % 5}"));
            File.WriteAllBytes(round.Disk($"tree/{i % 5}/{i}"), Bytes.Random(i * 40, i));
        }

        round.Own();
        var target = Path.Combine(round.Scratch, "target");
        await using var client = round.Client(options => options with { MaxSessions = Sessions });
        var result = await client.DownloadDirectoryAsync(round.At("tree"), target);
        AssertWhole(result, 200);
        Assert.That(TestTree.Differences(round.Disk("tree"), target, TimeSpan.MaxValue), Is.Empty);
    }

    private static async Task SyncUpAsync(Round round)
    {
        var source = Tree(round, "source", Files);
        await using var client = round.Client();
        AssertWhole(await client.SynchronizeAsync(source, round.At("tree"), SyncDirection.Up), Files);
        var second = await client.SynchronizeAsync(source, round.At("tree"), SyncDirection.Up);
        Assert.That((second.Files, second.Unchanged, second.Failed), Is.EqualTo((0L, (long)Files, 0L)), Why(second));
        File.WriteAllText(Path.Combine(source, "new"), "new");
        var third = await client.SynchronizeAsync(source, round.At("tree"), SyncDirection.Up);
        Assert.That((third.Files, third.Unchanged, third.Failed), Is.EqualTo((1L, (long)Files, 0L)), Why(third));
    }

    private static async Task SyncDownAsync(Round round)
    {
        Plant(round, Files);
        var target = Path.Combine(round.Scratch, "target");
        await using var client = round.Client();
        AssertWhole(await client.SynchronizeAsync(target, round.At("tree"), SyncDirection.Down), Files);
        var second = await client.SynchronizeAsync(target, round.At("tree"), SyncDirection.Down);
        Assert.That((second.Files, second.Unchanged, second.Failed), Is.EqualTo((0L, (long)Files, 0L)), Why(second));
    }

    private static async Task SyncDeletesAsync(Round round)
    {
        var source = Tree(round, "source", Files);
        await using var client = round.Client();
        AssertWhole(await client.SynchronizeAsync(source, round.At("tree"), SyncDirection.Up), Files);
        foreach (var extra in (string[])["extra", "gone/a", "gone/deep/b"]) round.Plant("tree/" + extra, [1, 2, 3]);
        var result = await client.SynchronizeAsync(source, round.At("tree"), SyncDirection.Up, new() { Delete = true });
        Assert.That((result.Files, result.Unchanged, result.Deleted, result.Failed), Is.EqualTo((0L, (long)Files, 5L, 0L)), Why(result));
        Assert.That(TestTree.Differences(source, round.Disk("tree"), TimeSpan.MaxValue), Is.Empty);
    }

    /// <summary>Plain names: those that are odd are a check of their own.</summary>
    private static string Tree(Round round, string name, int files) => Write(Path.Combine(round.Scratch, name), files);

    private static void Plant(Round round, int files)
    {
        Write(round.Disk("tree"), files);
        round.Own();
    }

    private static string Write(string root, int files)
    {
        for (var i = 0; i < files; i++)
        {
            var path = Path.Combine(root, $"folder {i % 4}", i % 3 == 0 ? "deep" : string.Empty, $"file{i}");
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllBytes(path, Bytes.Random(i % 7 == 0 ? 0 : i * 313, seed: i));
            File.SetLastWriteTimeUtc(path, i % 2 == 0 ? Recent.AddMinutes(i) : Round.Modified.AddSeconds(i));
        }

        Directory.CreateDirectory(Path.Combine(root, "empty folder"));
        return root;
    }

    private static void AssertWhole(JobResult result, int files) =>
        Assert.That((result.Files, result.Failed), Is.EqualTo(((long)files, 0L)), Why(result));

    private static string Why(JobResult result) => string.Join('\n', result.Failures.Take(20).Select(item => $"{item.Path}: {item.Error}"));
}
