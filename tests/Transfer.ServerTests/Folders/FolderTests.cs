using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Folders;

/// <summary>Whole folders over eight sessions: 800 files with odd names on the main variants of FTP, 200 on the others.</summary>
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.Usual))]
[Parallelizable]
public sealed class FolderTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private const int Sessions = 8;
    private const int Many = 800;
    private const int Few = 200;

    // The times of FTP and SFTP have whole seconds.
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private int Files => Fixtures.MainFtp.Any(data => Equals(data.Arguments[0], Kind) && Equals(data.Arguments[1], Variant)) ? Many : Few;

    [Test]
    public async Task A_folder_goes_up_and_comes_down_over_eight_sessions()
    {
        var source = Path.Combine(Scratch, "source");
        var target = Path.Combine(Scratch, "target");
        var bytes = TestTree.Write(source, Files);
        await using var client = Client(options => options with { MaxSessions = Sessions });
        var eight = new DirectoryOptions { Sessions = Sessions };

        var up = await client.UploadDirectoryAsync(source, Remote + "/tree", eight);
        Assert.That(up.Failures, Is.Empty);
        Assert.That((up.Files, up.Bytes, up.Skipped, up.Failed), Is.EqualTo(((long)Files, bytes, 0L, 0L)));
        Assert.That(TestTree.Differences(source, Server.Local(Remote + "/tree"), Second), Is.Empty);

        var down = await client.DownloadDirectoryAsync(Remote + "/tree", target, eight);
        Assert.That(down.Failures, Is.Empty);
        Assert.That((down.Files, down.Bytes, down.Skipped, down.Failed), Is.EqualTo(((long)Files, bytes, 0L, 0L)));
        Assert.That(TestTree.Differences(source, target, ListedPrecision), Is.Empty);

        // A small folder may be done before the last session is open; a session of SFTP takes hundreds of files at once.
        var fewest = Files == Many ? Sessions : 1;
        Assert.That(up.Sessions, Is.InRange(fewest, Sessions));
        Assert.That(down.Sessions, Is.InRange(fewest, Sessions));
        Assert.That(await client.DeleteAsync(Remote + "/tree", recursive: true), Is.True);
        Assert.That(RemoteNames(), Is.Empty);
    }

    [Test]
    public async Task One_item_that_fails_does_not_hide_the_rest()
    {
        var source = Path.Combine(Scratch, "source");
        TestTree.Write(source, files: 60);
        Directory.CreateDirectory(Path.Combine(source, "locked"));
        File.WriteAllText(Path.Combine(source, "locked", "file"), "x");
        // Root owns it, so the server's user may not write there.
        Directory.CreateDirectory(Server.Local(Remote + "/tree/locked"));
        Shell.Run("chown", $"{ServerUser.Uid}", Server.Local(Remote + "/tree"));
        await using var client = Client();

        var result = await client.UploadDirectoryAsync(source, Remote + "/tree");

        Assert.That((result.Files, result.Failed), Is.EqualTo((60L, 1L)));
        Assert.That(result.Failures.Single().Path, Is.EqualTo("locked/file"));
        Assert.That(result.Failures.Single().Error!.Error, Is.EqualTo(TransferError.Denied), result.Failures.Single().Error!.ToString());
        Assert.That(TestTree.Differences(source, Server.Local(Remote + "/tree"), Second), Is.EqualTo(new[] { "missing: locked/file" }));
    }

    [Test]
    public async Task Files_that_are_there_are_skipped_or_replaced_as_asked()
    {
        var source = Path.Combine(Scratch, "source");
        TestTree.Write(source, files: 60);
        Server.Plant(Remote + "/tree/-rf", [1, 2, 3]);
        await using var client = Client();

        var skipping = await client.UploadDirectoryAsync(source, Remote + "/tree", new DirectoryOptions { Overwrite = OverwriteMode.Skip });
        Assert.That((skipping.Files, skipping.Skipped, skipping.Failed), Is.EqualTo((59L, 1L, 0L)));
        Bytes.AssertSame(File.ReadAllBytes(Server.Local(Remote + "/tree/-rf")), [1, 2, 3]);

        var failing = await client.UploadDirectoryAsync(source, Remote + "/tree");
        Assert.That((failing.Files, failing.Failed), Is.EqualTo((0L, 60L)));
        Assert.That(failing.Failures.Select(failure => failure.Error!.Error), Is.All.EqualTo(TransferError.Exists));

        var replacing = await client.UploadDirectoryAsync(source, Remote + "/tree",
            new DirectoryOptions { Overwrite = OverwriteMode.Always });
        Assert.That((replacing.Files, replacing.Failed), Is.EqualTo((60L, 0L)));
        Assert.That(TestTree.Differences(source, Server.Local(Remote + "/tree"), Second), Is.Empty);

        var target = Path.Combine(Scratch, "target");
        Directory.CreateDirectory(target);
        File.WriteAllText(Path.Combine(target, "-rf"), "mine");
        var down = await client.DownloadDirectoryAsync(Remote + "/tree", target, new DirectoryOptions { Overwrite = OverwriteMode.Skip });
        Assert.That((down.Files, down.Skipped, down.Failed), Is.EqualTo((59L, 1L, 0L)));
        Assert.That(File.ReadAllText(Path.Combine(target, "-rf")), Is.EqualTo("mine"));
    }

    [Test]
    public async Task Progress_ends_with_everything()
    {
        var source = Path.Combine(Scratch, "source");
        var bytes = TestTree.Write(source, files: 60);
        var last = new LastProgress();
        await using var client = Client();

        await client.UploadDirectoryAsync(source, Remote + "/tree", progress: last);

        Assert.That((last.Value.Bytes, last.Value.TotalBytes, last.Value.Files, last.Value.TotalFiles),
            Is.EqualTo((bytes, (long?)bytes, 60L, (long?)60)));
    }

    /// <summary>Unlike <see cref="Progress{T}"/> it is told in the calling order.</summary>
    [Test]
    public async Task An_absent_folder_is_not_found_whatever_is_asked_of_it()
    {
        await using var client = Client();
        var absent = Remote + "/absent";
        var target = Path.Combine(Scratch, "absent");
        var listing = Assert.CatchAsync<TransferException>(async () =>
        {
            await foreach (var entry in client.ListAsync(absent)) Assert.Fail(entry.Path);
        });
        var download = Assert.CatchAsync<TransferException>(() => client.DownloadDirectoryAsync(absent, target));
        var sync = Assert.CatchAsync<TransferException>(() => client.SynchronizeAsync(target, absent, SyncDirection.Down));
        var copy = Assert.CatchAsync<TransferException>(() => client.CopyDirectoryAsync(absent, client, Remote + "/other"));
        foreach (var (name, error) in new[] { ("list", await listing), ("download", await download), ("sync", await sync),
            ("copy", await copy) })
        {
            Assert.That(error?.Error, Is.EqualTo(TransferError.NotFound), $"{name}: {error}");
        }

        Assert.That(await client.DeleteAsync(absent, recursive: true), Is.False);
        Assert.That(Directory.Exists(target), Is.False, "nothing is made for what is absent");
        Assert.That(RemoteNames(), Is.Empty);
    }

    private sealed class LastProgress : IProgress<TransferProgress>
    {
        public TransferProgress Value { get; private set; }

        public void Report(TransferProgress value) => Value = value;
    }
}
