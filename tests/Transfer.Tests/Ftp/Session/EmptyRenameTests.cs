using Transfer.Ftp;
using Transfer.Testing;
using Transfer.TestSupport.Ftp;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Servers that answer RNTO with 250 and rename nothing, or take a new file away as soon as that has its name.</summary>
[Parallelizable(ParallelScope.All)]
public sealed class EmptyRenameTests
{
    private static readonly byte[] Old = FtpHarness.Content(3000, 1);
    private static readonly byte[] New = FtpHarness.Content(5000, 2);

    [Test]
    public async Task An_old_file_is_not_replaced_which_is_an_error_and_the_source_stays(
        [Values(FtpPipelining.Off, FtpPipelining.PerFile, FtpPipelining.Batched)] FtpPipelining pipelining, [Values] bool hasMlst)
    {
        await using var ftp = await StartAsync(pipelining, hasMlst);
        ftp.Server.Faults.Reply("RNTO", "250 done", times: 99);
        ftp.Store.AddFile("/d/a", Old);
        if (hasMlst) await ftp.Client.GetEntryAsync("/d/a");
        using var folder = new TempFolder();
        folder.Add("a", New);
        var options = new DirectoryOptions { Overwrite = OverwriteMode.Always, RemoveSource = true };
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, "/d", options);
        Assert.That(result.Failed, Is.EqualTo(1));
        Assert.That(result.Failures.Single().Error!.Message, Does.Contain("still there"));
        Same.Bytes(ftp.Store.ReadFile("/d/a"), Old);
        Same.Bytes(folder.Read("a"), New);
    }

    [Test]
    public async Task A_new_file_goes_under_its_own_name()
    {
        await using var ftp = await StartAsync();
        ftp.Server.Faults.Reply("RNTO", "250 done", times: 99);
        using var folder = new TempFolder();
        folder.Add("a", New);
        await ftp.Client.UploadFileAsync(Path.Combine(folder.Path, "a"), "/a", new() { RemoveSource = true });
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/a" }));
        Same.Bytes(ftp.Store.ReadFile("/a"), New);
        Assert.That(File.Exists(Path.Combine(folder.Path, "a")), Is.False);
    }

    [Test]
    public async Task A_file_that_a_hot_folder_takes_at_once_has_arrived([Values] bool hasMlst)
    {
        await using var ftp = await StartAsync(hasMlst: hasMlst, front: inner => new HotFolderStore(inner));
        ftp.Store.AddFile("/other", Old);
        if (hasMlst) await ftp.Client.GetEntryAsync("/other");
        using var folder = new TempFolder();
        folder.Add("a", New);
        folder.Add("b", New);
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, "/d", new() { RemoveSource = true });
        Assert.That((result.Files, result.Failed), Is.EqualTo((2L, 0L)));
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/other" }));
        Assert.That(Directory.GetFiles(folder.Path), Is.Empty);
    }

    [Test]
    public async Task A_move_that_moved_nothing_names_its_source()
    {
        await using var ftp = await StartAsync();
        ftp.Server.Faults.Reply("RNTO", "250 done", times: 99);
        ftp.Store.AddFile("/a", Old);
        var error = await FtpHarness.FailsAsync(() => ftp.Client.MoveAsync("/a", "/b").AsTask());
        Assert.That((error.Error, error.RemotePath), Is.EqualTo((TransferError.Unsupported, "/a")));
        Assert.That(error.Message, Does.StartWith("/a: ").And.Contain("still there"));
    }

    [Test]
    public async Task A_folder_that_was_not_moved_is_an_error_and_one_that_was_is_none(
        [Values(FtpPipelining.Off, FtpPipelining.PerFile)] FtpPipelining pipelining, [Values] bool hasMlst, [Values] bool isMoved)
    {
        await using var ftp = await StartAsync(pipelining, hasMlst);
        if (!isMoved) ftp.Server.Faults.Reply("RNTO", "250 done", times: 99);
        ftp.Store.AddFile("/d/a", Old);
        Func<Task> move = () => ftp.Client.MoveAsync("/d", "/e").AsTask();
        if (isMoved) await move();
        else Assert.That((await FtpHarness.FailsAsync(move)).Message, Does.Contain("/d is still there"));
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { isMoved ? "/e/a" : "/d/a" }));
    }

    [Test]
    public async Task A_folder_is_moved_where_any_name_can_be_entered()
    {
        await using var ftp = await StartAsync(hasMlst: false);
        ftp.Store.AddFile("/d/a", Old);
        foreach (var path in new[] { "/d", "/d.transfer-2f8c61d3a5e94b07" })
            ftp.Server.Faults.Reply("CWD", "250 entered", times: 99, path: path);
        await ftp.Client.MoveAsync("/d", "/e");
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/e/a" }));
    }

    [Test]
    public async Task A_folder_that_was_not_moved_says_nothing_of_files()
    {
        await using var ftp = await StartAsync();
        ftp.Server.Faults.Reply("RNTO", "250 done");
        ftp.Store.AddFile("/d/a", Old);
        await FtpHarness.FailsAsync(() => ftp.Client.MoveAsync("/d", "/e").AsTask());
        await ftp.PutAsync("/new", New);
        Assert.That(ftp.Work.Count(command => command.Verb == "RNTO"), Is.EqualTo(2), "the file had a name of its own first");
    }

    [Test]
    public async Task A_name_in_another_case_is_the_same_name_to_some_servers()
    {
        await using var ftp = await StartAsync(front: inner => new CaselessStore(inner));
        ftp.Store.AddFile("/a", Old);
        await ftp.Client.MoveAsync("/a", "/A", overwrite: true);
        Same.Bytes(ftp.Store.ReadFile(ftp.Store.Files.Single()), Old);
    }

    [Test]
    public async Task Hard_links_of_one_file_that_a_rename_leaves_as_they_are_are_moved_all_the_same([Values] bool hasMlst)
    {
        await using var ftp = await StartAsync(hasMlst: hasMlst, front: inner => new LinkedStore(inner, "/a", "/b"));
        ftp.Store.AddFile("/a", Old);
        await ftp.Store.CreateHardLinkAsync("/a", "/b");
        await ftp.Client.MoveAsync("/a", "/b", overwrite: true);
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/b" }));
    }

    [TestCase("RNFR")]
    [TestCase("RNTO")]
    public async Task A_server_that_renames_nothing_says_so_of_the_source_of_a_move(string verb)
    {
        await using var ftp = await StartAsync();
        ftp.Server.Faults.Reply(verb, "502 no such command", times: 99);
        ftp.Store.AddFile("/a", Old);
        var error = await FtpHarness.FailsAsync(() => ftp.Client.MoveAsync("/a", "/d/b").AsTask());
        Assert.That((error.Error, error.RemotePath, error.ServerCode), Is.EqualTo((TransferError.Unsupported, "/a", 502)));
        Assert.That(error.Message, Does.StartWith("/a: "));
    }

    private static Task<FtpHarness> StartAsync(FtpPipelining pipelining = FtpPipelining.Auto, bool hasMlst = true,
        Func<MemoryStore, ITestStore>? front = null) => FtpHarness.StartAsync(
        new FtpTestServerOptions
        {
            Greeting = "Ready",
            DisabledCommands = hasMlst ? new HashSet<string>() : new HashSet<string> { "MLST", "MLSD" },
        },
        FtpHarness.Options with { Pipelining = pipelining }, front);
}
