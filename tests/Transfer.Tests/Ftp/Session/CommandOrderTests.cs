using Transfer.Ftp;
using Transfer.Testing;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Which commands leave in which write.</summary>
public sealed class CommandOrderTests
{
    [Test]
    public async Task Everything_behind_the_greeting_is_one_write()
    {
        await using var ftp = await FtpHarness.StartAsync();
        await ftp.Client.ConnectAsync();
        Assert.That(ftp.Server.Commands.Select(c => c.Verb), Is.EqualTo(new[] { "USER", "PASS", "OPTS", "TYPE", "SYST", "FEAT", "PWD" }));
        Assert.That(ftp.Server.Commands.Select(c => c.Read).Distinct().Count(), Is.EqualTo(1));
    }

    [Test]
    public async Task A_batch_is_one_write_of_eight_and_each_rename_waits_for_its_own_size()
    {
        await using var ftp = await FtpHarness.StartAsync();
        using var folder = Folder(20);
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, "/in", new DirectoryOptions { Sessions = 1 });
        Assert.That((result.Files, result.Failed), Is.EqualTo((20L, 0L)));
        Assert.That(ftp.Store.Files.Count(path => path.StartsWith("/in/f", StringComparison.Ordinal)), Is.EqualTo(20));

        var first = ftp.Work.SkipWhile(c => c.Verb != "EPSV").ToArray();
        var batch = first.TakeWhile(c => c.Read == first[0].Read).ToArray();
        Assert.That(batch.Take(32).Select(c => c.Verb), Is.EqualTo(Enumerable.Repeat(new[] { "EPSV", "STOR", "SIZE", "MFMT" }, 8).SelectMany(verbs => verbs)));
        // The first connection of the next, if its files were found by then.
        Assert.That(batch.Skip(32).Select(c => c.Verb), Is.Empty.Or.EqualTo(new[] { "EPSV" }));
        for (var i = 0; i < 32; i += 4)
        {
            Assert.That(batch[i + 1].Argument, Does.Contain("/.transfer-").And.EndsWith(".part"));
            Assert.That(batch[i + 2].Argument, Is.EqualTo(batch[i + 1].Argument));
            Assert.That(batch[i + 3].Argument, Does.EndWith(" " + batch[i + 1].Argument));
        }

        // Then come the renames of the first batch's files, in a write of their own: what begins transfers has to fit one segment.
        var second = first.Skip(batch.Length).Take(20).ToArray();
        Assert.That(second.Take(16).Select(c => c.Verb), Is.EqualTo(Enumerable.Repeat(new[] { "RNFR", "RNTO" }, 8).SelectMany(verbs => verbs)));
        Assert.That(second.Skip(16).Take(4).Select(c => c.Verb), batch.Length > 32 ? Is.EqualTo(new[] { "STOR", "SIZE", "MFMT", "EPSV" }) : Is.EqualTo(new[] { "EPSV", "STOR", "SIZE", "MFMT" }));
        Assert.That(second.Take(16).Where(c => c.Verb == "RNFR").Select(c => c.Argument), Is.EqualTo(batch.Where(c => c.Verb == "STOR").Select(c => c.Argument)));
        AssertRenamesFollowSizes(ftp);
    }

    [Test]
    public async Task A_server_nobody_knows_gets_one_pair_a_write_and_nothing_behind_it()
    {
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions { Greeting = "Welcome", StrictPipelining = true });
        using var folder = Folder(6);
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, "/in");
        Assert.That((result.Files, result.Failed), Is.EqualTo((6L, 0L)));
        foreach (var write in ftp.Work.GroupBy(c => c.Read))
        {
            Assert.That(write.Count(c => c.Verb == "STOR"), Is.LessThanOrEqualTo(1));
            if (write.Any(c => c.Verb == "STOR")) Assert.That(write.TakeLast(2).Select(c => c.Verb), Is.EqualTo(new[] { "EPSV", "STOR" }));
        }
        AssertRenamesFollowSizes(ftp);
    }

    [Test]
    public async Task Off_means_one_command_a_write()
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { Pipelining = FtpPipelining.Off });
        using var folder = Folder(5);
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, "/in");
        Assert.That((result.Files, result.Failed), Is.EqualTo((5L, 0L)));
        Assert.That(ftp.Work.GroupBy(c => c.Read).Select(write => write.Count()), Is.All.EqualTo(1));
        var files = ftp.Work.SkipWhile(c => c.Verb != "EPSV").Select(c => c.Verb);
        Assert.That(files, Is.EqualTo(Enumerable.Repeat(new[] { "EPSV", "STOR", "SIZE", "MFMT", "RNFR", "RNTO" }, 5).SelectMany(verbs => verbs)));
    }

    [Test]
    public async Task Downloads_ask_the_size_in_front_of_each_pair()
    {
        await using var ftp = await FtpHarness.StartAsync();
        for (var i = 0; i < 8; i++) ftp.Store.AddFile($"/out/f{i}", FtpHarness.Content(100 + i));
        using var folder = new TempFolder();
        var result = await ftp.Client.DownloadDirectoryAsync("/out", folder.Path);
        Assert.That((result.Files, result.Failed), Is.EqualTo((8L, 0L)));
        for (var i = 0; i < 8; i++) Assert.That(folder.Read($"f{i}"), Is.EqualTo(FtpHarness.Content(100 + i)));
        foreach (var write in ftp.Work.GroupBy(c => c.Read).Where(write => write.Any(c => c.Verb == "RETR")))
            Assert.That(string.Join(' ', write.Select(c => c.Verb)), Does.Match("^SIZE (EPSV )?RETR( SIZE EPSV RETR)*( EPSV)?$"));
    }

    [Test]
    public async Task Replies_nobody_asked_for_turn_the_host_serial_and_no_file_is_lost()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Server.Faults.ReplyTwice("EPSV");
        using var folder = Folder(12);
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, "/in");
        Assert.That((result.Files, result.Failed), Is.EqualTo((12L, 0L)));
        Assert.That(ftp.Store.Files.Count, Is.EqualTo(12), string.Join(' ', ftp.Store.Files));
        var serial = ftp.Work.Where(c => c.Connection > 1).ToArray();
        Assert.That(serial, Is.Not.Empty);
        Assert.That(serial.Where(c => c.Verb == "STOR").All(stor => serial.Count(c => (c.Connection, c.Read) == (stor.Connection, stor.Read)) == 1), Is.True);
    }

    [Test]
    public async Task A_command_that_was_lost_in_a_batch_turns_the_host_serial_and_no_file_is_lost()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Server.Faults.Reply("STOR", "500 Unknown command");
        using var folder = Folder(12);
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, "/in", new DirectoryOptions { Sessions = 1 });
        Assert.That((result.Files, result.Failed), Is.EqualTo((12L, 0L)));
        Assert.That(ftp.Store.Files.Count, Is.EqualTo(12), string.Join(' ', ftp.Store.Files));
        Assert.That(ftp.Work.Where(c => c.Connection > 1).GroupBy(c => c.Read).Select(write => write.Count()), Is.All.EqualTo(1));
    }

    [Test]
    public async Task A_batch_of_long_names_holds_only_what_a_server_reads_at_once()
    {
        await using var ftp = await FtpHarness.StartAsync();
        using var folder = Folder(8);
        var path = "/" + new string('d', 200) + "/" + new string('e', 200);
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, path, new DirectoryOptions { Sessions = 1 });
        Assert.That((result.Files, result.Failed), Is.EqualTo((8L, 0L)));
        foreach (var write in ftp.Work.GroupBy(c => c.Read).Where(write => write.Any(c => c.Verb == "STOR")))
        {
            var beginning = write.SkipWhile(c => c.Verb is not ("EPSV" or "STOR")).ToArray();
            Assert.That(beginning.Count(c => c.Verb == "STOR"), Is.InRange(1, 3));
            Assert.That(beginning.Sum(c => c.Text.Length + 2), Is.LessThanOrEqualTo(4096));
        }
    }

    private static TempFolder Folder(int files)
    {
        var folder = new TempFolder();
        for (var i = 0; i < files; i++) folder.Add($"f{i:00}", FtpHarness.Content(200 + i, i));
        return folder;
    }

    /// <summary>On each connection RNFR comes in a later read than its file's SIZE, so after the reply could be seen.</summary>
    private static void AssertRenamesFollowSizes(FtpHarness ftp)
    {
        foreach (var rename in ftp.Work.Where(c => c.Verb == "RNFR"))
        {
            var size = ftp.Work.Single(c => c.Verb == "SIZE" && c.Argument == rename.Argument);
            Assert.That(rename.Read, Is.GreaterThan(size.Read), rename.Argument);
        }
    }
}
