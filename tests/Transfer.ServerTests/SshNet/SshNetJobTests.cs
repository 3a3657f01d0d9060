using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.SshNet;

/// <summary>Jobs over SSH.NET: parallel sessions, resuming, and files that can't have their names.</summary>
[TestFixture]
[Parallelizable]
public sealed class SshNetJobTests() : ServerFixture(ServerKind.SshNet, ServerVariant.Sftp)
{
    private const int Files = 60;

    private string Source => Path.Combine(Scratch, "source");

    [Test]
    public async Task Four_sessions_share_a_folder()
    {
        TestTree.Write(Source, Files);
        await using var client = Client(options => options with { MaxSessions = 4 });

        var result = await client.UploadDirectoryAsync(Source, Remote + "/tree", new DirectoryOptions { Sessions = 4 });

        Assert.That((result.Files, result.Failed), Is.EqualTo(((long)Files, 0L)));
        Assert.That(result.Sessions, Is.EqualTo(4));
        Assert.That(TestTree.Differences(Source, Server.Local(Remote + "/tree"), TimeSpan.FromSeconds(1)), Is.Empty);
    }

    [Test]
    public async Task A_job_that_was_stopped_in_the_middle_goes_on_with_what_is_missing([Values] bool up)
    {
        TestTree.Write(up ? Source : Server.Local(Remote + "/tree"), Files);
        ServerUser.Own(Server.Local(Remote));
        var options = new DirectoryOptions { Sessions = 1, Journal = Path.Combine(Scratch, "journal"), Overwrite = OverwriteMode.Always };
        var here = up ? Source : Path.Combine(Scratch, "target");
        // Slow enough to be stopped among its files.
        await using (var slow = Client(options => options with { MaxSessions = 1, MaxBytesPerSecond = 60_000 }))
        await using (var first = Start(slow, options))
        {
            while (first.Progress.Files < 5 && !first.Completion.IsCompleted) await Task.Delay(5);
            await first.StopAsync();
            Assert.That(first.Progress.Files, Is.InRange(5, Files - 1));
        }

        await using var client = Client();
        await using var second = Start(client, options with { Resume = true });
        var result = await second.Completion;

        Assert.That((result.Files + result.Skipped, result.Failed), Is.EqualTo(((long)Files, 0L)));
        Assert.That(result.Files, Is.InRange(1, Files - 5));
        Assert.That(TestTree.Differences(here, Server.Local(Remote + "/tree"), TimeSpan.FromSeconds(1)), Is.Empty);

        TransferJob Start(TransferClient client, DirectoryOptions how) => up
            ? client.StartUploadDirectory(here, Remote + "/tree", how)
            : client.StartDownloadDirectory(Remote + "/tree", here, how);
    }

    [Test]
    public async Task A_file_whose_name_a_folder_has_stays_away_and_nothing_is_lost()
    {
        Server.Plant(Remote + "/taken/inside", [1]);
        await using var client = Client();

        var error = (await Assert.CatchAsync<TransferException>(async () =>
            await client.UploadFileAsync(LocalFile("new", [7]), Remote + "/taken",
                new UploadOptions { Overwrite = OverwriteMode.Always })))!;

        Assert.That(error.Error, Is.EqualTo(TransferError.Exists), error.ToString());
        Assert.That((RemoteNames(), File.Exists(Server.Local(Remote + "/taken/inside"))), Is.EqualTo((new[] { "taken" }, true)));
    }

    [Test]
    public async Task A_file_that_may_not_be_replaced_stays_whole_and_the_new_one_leaves_nothing()
    {
        // In a sticky folder of another owner a file of another owner can be neither replaced nor moved aside.
        Server.Plant(Remote + "/sticky/file", [1, 2, 3]);
        var folder = Server.Local(Remote + "/sticky");
        Shell.Run("chown", "-R", "root", folder);
        Shell.Run("chmod", "1777", folder);
        await using var client = Client();

        var error = (await Assert.CatchAsync<TransferException>(async () =>
            await client.UploadFileAsync(LocalFile("new", [7]), Remote + "/sticky/file",
                new UploadOptions { Overwrite = OverwriteMode.Always })))!;

        Assert.That(error.Error, Is.EqualTo(TransferError.Denied), error.ToString());
        Assert.That(Directory.GetFileSystemEntries(folder).Select(Path.GetFileName), Is.EqualTo(new[] { "file" }));
        Bytes.AssertSame(File.ReadAllBytes(Path.Combine(folder, "file")), [1, 2, 3]);
    }
}
