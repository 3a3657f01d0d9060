using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Faults;

/// <summary>What the server's file system refuses.</summary>
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.Main))]
[Parallelizable]
public sealed class RefusedTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private const int SmallDisk = 256 * 1024;

    [TestCase(PublishMode.Rename)]
    [TestCase(PublishMode.Direct)]
    public async Task A_folder_that_may_not_be_written_is_denied(PublishMode publish)
    {
        // Root owns it; the server works as another user.
        Directory.CreateDirectory(Server.Local(Remote + "/locked"));
        await using var client = Client();

        using var source = new MemoryStream(Bytes.Random(1000));
        var error = (await Assert.CatchAsync<TransferException>(() =>
            client.UploadAsync(source, Remote + "/locked/file", new UploadOptions { Publish = publish })))!;

        Assert.That(error.Error, Is.EqualTo(TransferError.Denied), error.ToString());
        Assert.That(Directory.EnumerateFileSystemEntries(Server.Local(Remote + "/locked")), Is.Empty);
        await AssertStillWorksAsync(client);
    }

    [Test]
    public async Task A_file_that_may_not_be_read_fails_and_nothing_appears_here()
    {
        File.WriteAllText(Server.Local(Remote + "/secret"), "secret");
        File.SetUnixFileMode(Server.Local(Remote + "/secret"), UnixFileMode.UserRead);
        var target = Path.Combine(Scratch, "target");
        await using var client = Client();

        var error = (await Assert.CatchAsync<TransferException>(() => client.DownloadFileAsync(Remote + "/secret", target)))!;

        // 550 stands for both, and only some servers let the client tell them apart.
        Assert.That(error.Error, Is.EqualTo(TransferError.Denied).Or.EqualTo(TransferError.NotFound), error.ToString());
        Assert.That(Directory.EnumerateFileSystemEntries(Scratch), Is.Empty);
        await AssertStillWorksAsync(client);
    }

    [Test]
    public async Task A_full_disk_fails_the_upload_and_leaves_the_old_file()
    {
        var folder = Server.Local(Remote + "/small");
        Directory.CreateDirectory(folder);
        Shell.Run("mount", "-t", "tmpfs", "-o", $"size={SmallDisk},mode=755,uid={ServerUser.Uid},gid={ServerUser.Gid}", "tmpfs", folder);
        try
        {
            var old = Bytes.Random(1000);
            Server.Plant(Remote + "/small/file", old);
            await using var client = Client();

            using var source = new MemoryStream(Bytes.Random(8 * SmallDisk, seed: 2));
            var error = (await Assert.CatchAsync<TransferException>(() =>
                client.UploadAsync(source, Remote + "/small/file", new UploadOptions { Overwrite = OverwriteMode.Always })))!;

            TestContext.Out.WriteLine($"{Kind}: {error.Error} {error.ServerCode} {error.Message}");
            Assert.That(error.Error, Is.EqualTo(TransferError.Quota).Or.EqualTo(TransferError.Denied).Or.EqualTo(TransferError.Lost),
                error.ToString());
            Bytes.AssertSame(File.ReadAllBytes(Path.Combine(folder, "file")), old);
            Assert.That(Directory.EnumerateFileSystemEntries(folder).Select(Path.GetFileName), Is.EqualTo(new[] { "file" }),
                "the part that was stored is deleted");
            await AssertStillWorksAsync(client);
        }
        finally
        {
            Shell.Unmount(folder);
        }
    }

    [TestCase("a\r\nDELE file")]
    [TestCase("a\nb")]
    [TestCase("a\0b")]
    public async Task A_path_that_could_hold_a_second_command_is_never_sent(string name)
    {
        Server.Plant(Remote + "/file", [1]);
        await using var client = Client();

        await Assert.ThatAsync(async () => await client.DeleteAsync($"{Remote}/{name}"), Throws.ArgumentException);
        using var source = new MemoryStream([1]);
        await Assert.ThatAsync(() => client.UploadAsync(source, $"{Remote}/{name}"), Throws.ArgumentException);

        Assert.That(RemoteNames(), Is.EqualTo(new[] { "file" }));
    }

    [Test]
    public async Task A_refused_port_and_an_unknown_host_are_connection_errors()
    {
        // The block's last port is kept for passive connections, and nothing listens on it now.
        await using var refused = Server.Client(Server.Url("/", "127.0.0.1", Server.Port + Ports.Refused));
        await using var unknown = Server.Client(Server.Url("/", "no-such-host.invalid"));

        foreach (var client in new[] { refused, unknown })
        {
            var error = (await Assert.CatchAsync<TransferConnectionException>(async () => await client.ConnectAsync()))!;
            Assert.That(error.Error, Is.EqualTo(TransferError.Lost).Or.EqualTo(TransferError.NotFound), error.ToString());
        }
    }

    private async Task AssertStillWorksAsync(TransferClient client)
    {
        using var source = new MemoryStream(Bytes.Random(1000));
        await client.UploadAsync(source, Remote + "/after");
        Bytes.AssertSame(File.ReadAllBytes(Server.Local(Remote + "/after")), Bytes.Random(1000));
    }
}
