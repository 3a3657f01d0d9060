using Transfer.Ftp;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Folders;

/// <summary>
/// Folders made alike, up and down, on every server: what has not changed is found so, by whatever the server's listings have.
/// </summary>
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.Each))]
[Parallelizable]
public sealed class SyncTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private const int Files = 150;

    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    // In the last half year: vsftpd lists the minute then, and else only the day.
    private static readonly DateTime Recent = DateTime.UtcNow.Date.AddDays(-20).AddHours(11).AddMinutes(17).AddSeconds(42);

    private string Source => Path.Combine(Scratch, "source");

    private static SyncOptions Delete => new() { Delete = true };

    [Test]
    public async Task A_remote_folder_follows_the_local_one()
    {
        TestTree.Write(Source, Files);
        Write("recent", "one", Recent);
        await using var client = Client();
        var first = await UpAsync(client, Delete);
        Assert.That((first.Files, first.Unchanged, first.Failed), Is.EqualTo((Files + 1L, 0L, 0L)), Why(first));
        var second = await UpAsync(client, Delete);
        Assert.That((second.Files, second.Unchanged, second.Moved, second.Deleted, second.Failed), Is.EqualTo((0L, Files + 1L, 0L, 0L, 0L)),
            Why(second));

        Write("recent", "two", Recent.AddHours(1)); // the same length
        Write("new/folder/file", "new", Recent);
        Directory.CreateDirectory(Path.Combine(Source, "moved"));
        var content = Bytes.Random(4321, seed: 99);
        File.WriteAllBytes(Server.Local(Remote + "/tree/before it moved"), content);
        File.SetLastWriteTimeUtc(Server.Local(Remote + "/tree/before it moved"), Recent);
        File.WriteAllBytes(Path.Combine(Source, "moved", "here"), content);
        File.SetLastWriteTimeUtc(Path.Combine(Source, "moved", "here"), Recent);
        foreach (var extra in (string[])["extra", "gone/a", "gone/deep/b"]) Server.Plant($"{Remote}/tree/{extra}", [1, 2, 3]);
        Own();

        // Of a server that does not hash, nobody knows that it is the same file: it is sent, and the other one deleted.
        var moved = await client.GetHashAsync(Remote + "/tree/recent", "SHA-256") is null ? 0L : 1L;
        var dry = await UpAsync(client, Delete with { DryRun = true });
        Assert.That((dry.Files, dry.Moved, dry.Deleted, dry.Unchanged), Is.EqualTo((3L - moved, moved, 6L - moved, (long)Files)), Why(dry));
        Assert.That(File.Exists(Server.Local(Remote + "/tree/extra")), Is.True);
        var third = await UpAsync(client, Delete);
        Assert.That((third.Files, third.Moved, third.Deleted, third.Unchanged, third.Failed),
            Is.EqualTo((3L - moved, moved, 6L - moved, (long)Files, 0L)), Why(third));
        Assert.That(TestTree.Differences(Source, Server.Local(Remote + "/tree"), Second), Is.Empty);
    }

    [Test]
    public async Task A_local_folder_follows_the_remote_one()
    {
        TestTree.Write(Source, Files);
        Write("recent", "one", Recent);
        var target = Path.Combine(Scratch, "target");
        await using var client = Client();
        await UpAsync(client, new());
        var first = await DownAsync(client, target);
        Assert.That((first.Files, first.Failed), Is.EqualTo((Files + 1L, 0L)), Why(first));
        var second = await DownAsync(client, target);
        Assert.That((second.Files, second.Unchanged, second.Deleted, second.Failed), Is.EqualTo((0L, Files + 1L, 0L, 0L)), Why(second));

        File.WriteAllText(Path.Combine(target, "recent"), "changed here");
        Directory.CreateDirectory(Path.Combine(target, "gone", "deep"));
        File.WriteAllText(Path.Combine(target, "gone", "deep", "file"), "x");
        var third = await DownAsync(client, target);
        Assert.That((third.Files, third.Unchanged, third.Deleted, third.Failed), Is.EqualTo((1L, (long)Files, 3L, 0L)), Why(third));
        Assert.That(TestTree.Differences(Source, target, ListedPrecision), Is.Empty);
    }

    [Test]
    public async Task Contents_are_compared_where_times_say_nothing()
    {
        Write("same", "content", Recent);
        Write("changed", "content", Recent);
        await using var client = Client();
        await UpAsync(client, new());
        Write("same", "content", Recent.AddDays(1));
        Write("changed", "Content", Recent);
        var result = await UpAsync(client, new() { Compare = SyncComparison.Hash });
        Assert.That((result.Files, result.Unchanged, result.Failed), Is.EqualTo((1L, 1L, 0L)), Why(result));
        Assert.That(File.ReadAllText(Server.Local(Remote + "/tree/changed")), Is.EqualTo("Content"));
    }

    [Test]
    public async Task A_wrong_zone_of_listings_changes_nothing()
    {
        TestTree.Write(Source, Files);
        for (var i = 0; i < 20; i++) Write($"recent/{i}", "one", Recent.AddMinutes(i));
        await using var client =
            Client(options => options is FtpOptions ftp ? ftp with { ListingOffset = TimeSpan.FromHours(9) } : options);
        await UpAsync(client, new());
        var second = await UpAsync(client, Delete);
        Assert.That((second.Files, second.Unchanged, second.Failed), Is.EqualTo((0L, Files + 20L, 0L)), Why(second));
    }

    private static string Why(JobResult result) => string.Join('\n', result.Failures.Select(item => $"{item.Path}: {item.Error}"));

    private Task<JobResult> UpAsync(TransferClient client, SyncOptions options) =>
        client.SynchronizeAsync(Source, Remote + "/tree", SyncDirection.Up, options);

    private Task<JobResult> DownAsync(TransferClient client, string target) =>
        client.SynchronizeAsync(target, Remote + "/tree", SyncDirection.Down, Delete);

    private void Own() => Shell.Run("chown", "-R", $"{ServerUser.Uid}", Server.Local(Remote + "/tree"));

    private void Write(string name, string content, DateTime modified)
    {
        var path = Path.Combine(Source, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, content);
        File.SetLastWriteTimeUtc(path, modified);
    }
}
