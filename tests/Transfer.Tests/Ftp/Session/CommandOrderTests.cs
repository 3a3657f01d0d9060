using Transfer.Ftp;
using Transfer.Testing;

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
        using var folder = Folder(60);
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, "/in", new DirectoryOptions { Sessions = 1 });
        Assert.That((result.Files, result.Failed), Is.EqualTo((60L, 0L)));
        Assert.That(ftp.Store.Files.Count(path => path.StartsWith("/in/f", StringComparison.Ordinal)), Is.EqualTo(60));

        // The first ones are as large as what was found by then. Behind the renames of the batch before, which the server may have read
        // together with it, and without
        // the first one's EPSV, which may have left with the batch before.
        var work = ftp.Work.ToArray();
        var full = work.GroupBy(c => c.Read).First(read => read.Count(c => c.Verb == "STOR") == 8);
        var batch = full.SkipWhile(c => c.Verb != "STOR").ToArray();
        Assert.That(batch.Take(31).Select(c => c.Verb),
            Is.EqualTo(Enumerable.Repeat(new[] { "EPSV", "STOR", "SIZE", "MFMT" }, 8).SelectMany(verbs => verbs).Skip(1)));
        // The first connection of the next.
        Assert.That(batch.Skip(31).Select(c => c.Verb), Is.Empty.Or.EqualTo(new[] { "EPSV" }));
        for (var i = 0; i < 31; i += 4)
        {
            Assert.That(batch[i].Argument, Does.Contain("/.transfer-").And.EndsWith(".part"));
            Assert.That(batch[i + 1].Argument, Is.EqualTo(batch[i].Argument));
            Assert.That(batch[i + 2].Argument, Does.EndWith(" " + batch[i].Argument));
        }

        // Then come the renames of its files, in a write of their own: what begins transfers has to fit one segment.
        var next = work.Skip(Array.FindLastIndex(work, c => c.Read == full.Key) + 1).Take(16).ToArray();
        Assert.That(next.Select(c => c.Verb), Is.EqualTo(Enumerable.Repeat(new[] { "RNFR", "RNTO" }, 8).SelectMany(verbs => verbs)));
        Assert.That(next.Where(c => c.Verb == "RNFR").Select(c => c.Argument),
            Is.EqualTo(batch.Where(c => c.Verb == "STOR").Select(c => c.Argument)));
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
        Assert.That(files,
            Is.EqualTo(Enumerable.Repeat(new[] { "EPSV", "STOR", "SIZE", "MFMT", "RNFR", "RNTO" }, 5).SelectMany(verbs => verbs)));
    }

    [Test]
    public async Task Downloads_ask_the_size_in_front_of_each_pair()
    {
        await using var ftp = await FtpHarness.StartAsync();
        for (var i = 0; i < 8; i++) ftp.Store.AddFile($"/out/f{i}", FtpHarness.Content(100 + i));
        using var folder = new TempFolder();
        var result = await ftp.Client.DownloadDirectoryAsync("/out", folder.Path);
        Assert.That((result.Files, result.Failed), Is.EqualTo((8L, 0L)));
        for (var i = 0; i < 8; i++) Same.Bytes(folder.Read($"f{i}"), FtpHarness.Content(100 + i));
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
        Assert.That(
            serial.Where(c => c.Verb == "STOR").All(stor => serial.Count(c => (c.Connection, c.Read) == (stor.Connection, stor.Read)) == 1),
            Is.True);
    }

    // As ProFTPD does when two of its processes choose one port: in the midst of a batch, its last, and the next one's first, which is
    // announced ahead.
    [TestCase("STOR", 3)]
    [TestCase("STOR", 7)]
    [TestCase("STOR", 8)]
    [TestCase("RETR", 0)]
    [TestCase("RETR", 3)]
    [TestCase("RETR", 8)]
    public async Task A_transfer_that_gets_no_reply_as_its_connection_was_refused_comes_again_over_the_same_session(string verb, int skip)
    {
        await using var ftp = await FtpHarness.StartAsync();
        using var folder = Folder(20);
        var upload = verb == "STOR";
        if (!upload) for (var i = 0; i < 20; i++) ftp.Store.AddFile($"/out/f{i}", FtpHarness.Content(100 + i));
        // The listing of what is to be downloaded has one too.
        var refused = ftp.Server.Faults.Reply("EPSV", "425 EPSV: Address already in use", skip: upload ? skip : skip + 1);
        var silent = ftp.Server.Faults.OmitFinalReply(verb, skip: skip);
        // It has made the file by then.
        if (upload) ftp.Server.Faults.Reply("SIZE", "213 0", skip: skip);
        using var received = new TempFolder();

        var result = upload
            ? await ftp.Client.UploadDirectoryAsync(folder.Path, "/in", new DirectoryOptions { Sessions = 1 })
            : await ftp.Client.DownloadDirectoryAsync("/out", received.Path, new DirectoryOptions { Sessions = 1 });

        Assert.That((result.Files, result.Failed, refused.Fired, silent.Fired), Is.EqualTo((20L, 0L, 1, 1)));
        if (upload) Assert.That(ftp.Store.Files.Count, Is.EqualTo(20), string.Join(' ', ftp.Store.Files));
        else for (var i = 0; i < 20; i++) Same.Bytes(received.Read($"f{i}"), FtpHarness.Content(100 + i));
        Assert.That(ftp.Work.Count(c => c.Verb == verb), Is.EqualTo(21), () => string.Join(" ", ftp.Work));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1));
    }

    [Test]
    public async Task Nor_does_it_need_a_command_behind_it()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/file", FtpHarness.Content(100));
        using var folder = new TempFolder();
        await ftp.Client.DownloadFileAsync("/file", folder["once"]);
        var refused = ftp.Server.Faults.Reply("EPSV", "425 EPSV: Address already in use");
        var silent = ftp.Server.Faults.OmitFinalReply("RETR");

        await ftp.Client.DownloadFileAsync("/file", folder["again"]);

        Assert.That((refused.Fired, silent.Fired), Is.EqualTo((1, 1)));
        Same.Bytes(folder.Read("again"), FtpHarness.Content(100));
        Assert.That(ftp.Work.Count(c => c.Verb == "RETR"), Is.EqualTo(3), () => string.Join(" ", ftp.Work));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1));
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
            var size = ftp.Work.First(c => c.Verb == "SIZE" && c.Argument == rename.Argument);
            Assert.That(rename.Read, Is.GreaterThan(size.Read), rename.Argument);
        }
    }
}
