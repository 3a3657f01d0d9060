using System.Text.Json;
using Transfer.ServerTests.Command;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Ssh;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Batch;

/// <summary>Folders go in batches over the channels of a real sshd.</summary>
[TestFixture]
[Parallelizable]
public sealed class ExecTests() : SshFixture(ServerVariant.Sftp)
{
    private const int Files = 1500;

    [Test]
    public async Task A_folder_goes_up_and_comes_down_by_tar()
    {
        var source = Path.Combine(Scratch, "source");
        TestTree.Write(source, Files);
        await using var client = Client();
        var up = await client.UploadDirectoryAsync(source, Remote + "/t", InBatch());
        Assert.That((up.Way, up.Reason, up.Files, up.Failed, up.Alone), Is.EqualTo((BatchWay.Tar, (string?)null, (long)Files, 0L, 0)));
        Assert.That(TestTree.Differences(source, Server.Local(Remote + "/t"), TimeSpan.FromSeconds(1)), Is.Empty);
        Assert.That(RemoteNames(), Is.EqualTo(new[] { "t" }));

        var again = await client.UploadDirectoryAsync(source, Remote + "/t", InBatch(new() { Overwrite = OverwriteMode.Always }));
        Assert.That((again.Way, again.Files, again.Failed, again.Alone), Is.EqualTo((BatchWay.Tar, (long)Files, 0L, 0)));
        Assert.That(TestTree.Differences(source, Server.Local(Remote + "/t"), TimeSpan.FromSeconds(1)), Is.Empty);

        var down = await client.DownloadDirectoryAsync(Remote + "/t", Path.Combine(Scratch, "down"), InBatch());
        Assert.That((down.Way, down.Files, down.Failed, down.Alone), Is.EqualTo((BatchWay.Tar, (long)Files, 0L, 0)));
        Assert.That(TestTree.Differences(source, Path.Combine(Scratch, "down"), TimeSpan.FromSeconds(1)), Is.Empty);
    }

    [Test]
    public async Task Unfinished_files_of_transfers_stay_where_they_are()
    {
        var source = Path.Combine(Scratch, "source");
        TestTree.Write(source, 200);
        await using var client = Client();
        await client.UploadDirectoryAsync(source, Remote + "/t", InBatch());
        Server.Plant(Remote + "/t/.transfer-0123456789abcdef-7.part", [1]);

        var down = await client.DownloadDirectoryAsync(Remote + "/t", Path.Combine(Scratch, "down"), InBatch());

        Assert.That((down.Way, down.Files, down.Failed), Is.EqualTo((BatchWay.Tar, 200L, 0L)),
            string.Join('\n', down.Failures.Select(failure => failure.Error?.Message)));
        Assert.That(TestTree.Differences(source, Path.Combine(Scratch, "down"), TimeSpan.FromSeconds(1)), Is.Empty);
    }

    [TestCase(false)]
    [TestCase(true, Description = "The target is there.")]
    public async Task Permissions_are_those_of_the_source(bool isThere)
    {
        var source = Path.Combine(Scratch, "source");
        var modes = new Dictionary<string, int>
        {
            ["d"] = 0b111_000_101,
            ["d/a"] = 0b100_000_000,
            ["b"] = 0b111_111_111,
            ["large"] = 0b110_010_001
        };
        Directory.CreateDirectory(Path.Combine(source, "d"));
        File.WriteAllText(Path.Combine(source, "d", "a"), "x");
        File.WriteAllText(Path.Combine(source, "b"), "x");
        // One that goes alone.
        File.WriteAllBytes(Path.Combine(source, "large"), new byte[5 << 20]);
        foreach (var (name, mode) in modes) File.SetUnixFileMode(Path.Combine(source, name), (UnixFileMode)mode);
        // What else a source may have nobody gets.
        File.SetUnixFileMode(Path.Combine(source, "b"), (UnixFileMode)modes["b"] | UnixFileMode.SetUser);
        await using var client = Client();
        if (isThere) await client.CreateDirectoryAsync(Remote + "/batch");
        var up = await client.UploadDirectoryAsync(source, Remote + "/batch", InBatch(new() { PreserveMode = true }));
        Assert.That((up.Files, up.Failed, up.Alone), Is.EqualTo((3L, 0L, 1)));
        Assert.That(modes.Keys.Where(name => (int)File.GetUnixFileMode(Server.Local($"{Remote}/batch/{name}")) != modes[name]), Is.Empty);
    }

    [Test]
    public async Task The_log_in_folder_is_where_it_is_for_both()
    {
        var source = Path.Combine(Scratch, "source");
        TestTree.Write(source, 200);
        await using var client = Client();
        var relative = "/~/" + Path.GetFileName(Server.Local(Remote)) + "/a 'b";
        var up = await client.UploadDirectoryAsync(source, relative, InBatch());
        Assert.That((up.Way, up.Failed, up.Alone), Is.EqualTo((BatchWay.Tar, 0L, 0)));
        Assert.That(TestTree.Differences(source, Server.Local(Remote + "/a 'b"), TimeSpan.FromSeconds(1)), Is.Empty);
    }

    [Test]
    public async Task What_is_cancelled_half_way_leaves_nothing()
    {
        var source = Path.Combine(Scratch, "source");
        TestTree.Write(source, Files);
        await using var client = Client();
        using var cancel = new CancellationTokenSource();
        var progress = new Cancelling(cancel);
        await Assert.ThrowsAsync<OperationCanceledException>(
            () => client.UploadDirectoryAsync(source, Remote + "/t", InBatch(), progress, cancel.Token));
        Assert.That(RemoteNames(), Is.Empty);
    }

    [Test]
    public Task A_command_that_was_killed_goes_on_with_what_was_not_confirmed() =>
        KilledBatch.RunAsync(Server, Scratch, Remote, "tar",
            ["--user", Server.Credential.UserName, "--known-hosts", Ssh.KnownHosts, "--ssh-config", "none"]);

    [Test]
    public async Task The_command_says_how_a_folder_went()
    {
        var source = Path.Combine(Scratch, "source");
        TestTree.Write(source, 600);
        var url = Server.Url().GetLeftPart(UriPartial.Authority) + Remote + "/t";
        string[] login = ["--user", Server.Credential.UserName, "--known-hosts", Ssh.KnownHosts, "--ssh-config", "none", "--json"];
        foreach (var (batch, way) in new[] { ("auto", "off"), ("off", "off"), ("on", "tar") })
        {
            var put = await TransferCommand.RunAsync(Server, ["put", "--batch", batch, .. login, source, url]);
            Assert.That(put.ExitCode, Is.Zero, put.Errors);
            using var json = JsonDocument.Parse(put.Output);
            Assert.That(json.RootElement.GetProperty("batch").GetString(), Is.EqualTo(way));
            Assert.That(json.RootElement.GetProperty("files").GetInt64(), Is.EqualTo(600));
        }
        var get = await TransferCommand.RunAsync(Server, ["get", "--batch", "on", .. login, url, Path.Combine(Scratch, "down")]);
        Assert.That(get.ExitCode, Is.Zero, get.Errors);
        Assert.That(TestTree.Differences(source, Path.Combine(Scratch, "down"), TimeSpan.FromSeconds(1)), Is.Empty);
    }

    private sealed class Cancelling(CancellationTokenSource cancel) : IProgress<TransferProgress>
    {
        public void Report(TransferProgress value)
        {
            if (value.Bytes > 0) cancel.Cancel();
        }
    }
}

/// <summary>Our own command is installed at the server.</summary>
[TestFixture]
[Parallelizable]
public sealed class ReceiverTests()
    : SshFixture(ServerVariant.Sftp with
    {
        Name = "SftpWithTransfer",
        SshSettings = $"SetEnv PATH={BuiltCommand.Folder}:/usr/local/bin:/usr/bin:/bin"
    })
{

    [Test]
    public async Task A_folder_goes_up_by_our_own_receiver()
    {
        var source = Path.Combine(Scratch, "source");
        TestTree.Write(source, 1500);
        File.WriteAllBytes(Path.Combine(source, "large"), new byte[5 << 20]);
        await using var client = Client();
        foreach (var overwrite in new[] { OverwriteMode.Fail, OverwriteMode.Always })
        {
            var up = await client.UploadDirectoryAsync(source, Remote + "/it's", InBatch(new() { Overwrite = overwrite }));
            // The large one gains nothing from company, until it is there and has not changed.
            Assert.That((up.Way, up.Files, up.Failed, up.Alone),
                Is.EqualTo((BatchWay.Transfer, 1501L, 0L, overwrite == OverwriteMode.Fail ? 1 : 0)));
            Assert.That(TestTree.Differences(source, Server.Local(Remote + "/it's"), TimeSpan.FromSeconds(1)), Is.Empty);
        }
        var text = Directory.CreateDirectory(Path.Combine(Scratch, "text")).FullName;
        for (var i = 0; i < 600; i++) File.WriteAllBytes(Path.Combine(text, $"text{i}"), new byte[30_000]);
        Assert.That((await client.UploadDirectoryAsync(text, Remote + "/it's/text", new BatchOptions())).Way,
            Is.EqualTo(BatchWay.Transfer));
        Assert.That(RemoteNames(), Is.EqualTo(new[] { "it's" }));
    }

    [Test]
    public Task A_command_that_was_killed_goes_on_with_what_was_not_confirmed() =>
        KilledBatch.RunAsync(Server, Scratch, Remote, "transfer",
            ["--user", Server.Credential.UserName, "--known-hosts", Ssh.KnownHosts, "--ssh-config", "none"]);
}

/// <summary>The server runs nothing but SFTP.</summary>
[TestFixture]
[Parallelizable]
public sealed class ForcedSftpTests()
    : SshFixture(ServerVariant.Sftp with { Name = "SftpForced", SshSettings = "ForceCommand internal-sftp" })
{
    [Test]
    public async Task Files_go_one_by_one_and_the_result_says_why()
    {
        var source = Path.Combine(Scratch, "source");
        TestTree.Write(source, 600);
        await using var client = Client(options => options with { IdleTimeout = TimeSpan.FromSeconds(5) });
        var error = await Assert.ThrowsAsync<TransferException>(() => client.UploadDirectoryAsync(source, Remote + "/t", InBatch()));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Unsupported));
        Assert.That(error.Message, Does.Contain("No shell"));
        TestTree.Write(source, 600);
        for (var i = 0; i < 600; i++) File.WriteAllBytes(Path.Combine(source, $"text{i}"), new byte[30_000]);
        var up = await client.UploadDirectoryAsync(source, Remote + "/t", new BatchOptions());
        Assert.That((up.Way, up.Files, up.Failed), Is.EqualTo((BatchWay.Files, 1200L, 0L)));
        Assert.That(up.Reason, Does.Contain("No shell"));
        Assert.That(TestTree.Differences(source, Server.Local(Remote + "/t"), TimeSpan.FromSeconds(1)), Is.Empty);
    }
}

/// <summary>A command of the server's takes every command's place, and reads what it is sent.</summary>
[TestFixture]
[Parallelizable]
public sealed class ForcedCommandTests() : SshFixture(ServerVariant.Sftp with
{
    Name = "SftpForcedCommand",
    SshSettings = "ForceCommand case \"$SSH_ORIGINAL_COMMAND\" in *sftp-server*) exec $SSH_ORIGINAL_COMMAND;; *) cat >> got;; esac",
})
{
    [Test]
    public async Task Nothing_is_sent_to_it()
    {
        var source = Path.Combine(Scratch, "source");
        Directory.CreateDirectory(source);
        for (var i = 0; i < 600; i++) File.WriteAllBytes(Path.Combine(source, $"text{i}"), new byte[30_000]);
        await using var client = Client(options => options with { IdleTimeout = TimeSpan.FromSeconds(3) });
        var up = await client.UploadDirectoryAsync(source, Remote + "/t", new BatchOptions());
        Assert.That((up.Way, up.Files, up.Failed), Is.EqualTo((BatchWay.Files, 600L, 0L)));
        Assert.That(new FileInfo(Path.Combine(Server.Root, "got")).Length, Is.Zero);
    }
}

/// <summary>The server's disk is full before all has come.</summary>
[TestFixture]
[Parallelizable]
public sealed class FullDiskTests() : SshFixture(ServerVariant.Sftp)
{
    [Test]
    public async Task What_fits_is_there_and_the_rest_is_told()
    {
        var source = Directory.CreateDirectory(Path.Combine(Scratch, "source")).FullName;
        for (var i = 0; i < 600; i++) File.WriteAllBytes(Path.Combine(source, $"f{i:D3}"), Bytes.Random(20_000, i));
        var small = Server.Local(Remote + "/small");
        Directory.CreateDirectory(small);
        Shell.Run("mount", "-t", "tmpfs", "-o", $"size=4m,mode=755,uid={ServerUser.Uid},gid={ServerUser.Gid}", "tmpfs", small);
        try
        {
            await using var client = Client();
            var up = await client.UploadDirectoryAsync(source, Remote + "/small", InBatch(new() { Overwrite = OverwriteMode.Always }));
            Assert.That((up.Files + up.Failed, up.Failed > 0), Is.EqualTo((600L, true)));
            foreach (var file in Directory.EnumerateFileSystemEntries(small))
                Bytes.AssertSame(File.ReadAllBytes(file), File.ReadAllBytes(Path.Combine(source, Path.GetFileName(file))));
            Assert.That(Directory.EnumerateFileSystemEntries(small).Count(), Is.EqualTo(up.Files));
        }
        finally
        {
            Shell.Run("umount", "--lazy", small);
        }
    }
}
