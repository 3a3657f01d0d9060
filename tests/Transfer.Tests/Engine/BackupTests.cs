using Transfer.Engine.Backups;

namespace Transfer.Tests.Engine;

/// <summary>What would be replaced or deleted is moved into a folder on the target's side.</summary>
public sealed class BackupTests : MemoryFixture
{
    private static SyncOptions Sync(string? folder = "old") => new() { Delete = true, BackupDirectory = folder };

    [Test]
    public async Task What_is_replaced_or_deleted_keeps_its_path_and_content([Values("old", "/elsewhere/old")] string folder,
        [Values] VerificationMode verify)
    {
        var old = folder == "old" ? "/t/old" : folder;
        Local.Add("d/changed", [2, 2], Samples.Time);
        Local.Add("new", [3], Samples.Time);
        Store.AddFile("/t/d/changed", [1], Samples.Time);
        Store.AddFile("/t/gone/deep/file", [9], Samples.Time);

        var result = await UpAsync(Sync(folder) with { Verify = verify });

        Assert.That((result.Files, result.Deleted, result.Failed), Is.EqualTo((2L, 3L, 0L)), Why(result));
        Assert.That(Content("/t/d/changed"), Is.EqualTo(new byte[] { 2, 2 }));
        Assert.That(Content($"{old}/d/changed"), Is.EqualTo(new byte[] { 1 }));
        Assert.That(Content($"{old}/gone/deep/file"), Is.EqualTo(new byte[] { 9 }));
        Assert.That((Store["/t/gone"], Store[$"{old}/new"]), Is.EqualTo(((object?)null, (object?)null)));
        Assert.That(Store.Files, Has.Count.EqualTo(4));
    }

    [Test]
    public async Task The_folder_of_backups_is_neither_sent_to_nor_deleted()
    {
        Local.Add("a", [1], Samples.Time);
        Local.Add("old/mine", [1], Samples.Time);
        Store.AddFile("/t/old/x/earlier", [7]);
        var result = await UpAsync(Sync());
        Assert.That((result.Files, result.Deleted, result.Skipped, result.Failed), Is.EqualTo((1L, 0L, 1L, 0L)), Why(result));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/a", "/t/old/x/earlier" }));
    }

    [TestCase("bk")]
    [TestCase("bk/deep")]
    public async Task A_link_that_leads_to_the_folder_of_backups_is_no_extra_entry(string folder)
    {
        Local.Add("x", [1], Samples.Time);
        Store.AddDirectory("/else");
        Store.AddLink("/t/bk", "/else");
        Store.AddFile("/t/y", [1]);
        var result = await UpAsync(Sync(folder) with { DryRun = true });
        Assert.That((result.Deleted, result.Failed), Is.EqualTo((1L, 0L)), Why(result));
    }

    [TestCase("bk", "else/y")]
    [TestCase("bk/deep", "else/deep/y")]
    public async Task A_local_link_that_leads_to_the_folder_of_backups_stays(string folder, string backup)
    {
        Store.AddFile("/t/x", [1], Samples.Time);
        Local.Add("to/y", [2], Samples.Time);
        Directory.CreateDirectory(Local["else"]);
        Directory.CreateSymbolicLink(Local["to/bk"], Local["else"]);
        var result = await Client.SynchronizeAsync(Local["to"], "/t", SyncDirection.Down, Sync(folder)).Soon();
        Assert.That((result.Deleted, result.Failed), Is.EqualTo((1L, 0L)), Why(result));
        Assert.That(Local.Read(backup), Is.EqualTo(new byte[] { 2 }));
    }

    [Test]
    public async Task A_local_backup_without_a_place_is_a_failure_and_the_file_stays()
    {
        Store.AddFile("/t/x", [1], Samples.Time);
        Local.Add("to/y", [2], Samples.Time);
        Directory.CreateSymbolicLink(Local["to/bk"], Local["nowhere"]);
        var result = await Client.SynchronizeAsync(Local["to"], "/t", SyncDirection.Down, Sync("bk")).Soon();
        Assert.That((result.Deleted, result.Failures.Single().Path), Is.EqualTo((0L, "y")));
        Assert.That(Local.Read("to/y"), Is.EqualTo(new byte[] { 2 }));
    }

    [TestCase("../t/bk")]
    [TestCase("d/.././bk")]
    [TestCase("/x/../t/bk")]
    public async Task A_folder_of_backups_that_is_named_by_way_of_another_stays(string folder)
    {
        Local.Add("x", [1], Samples.Time);
        Store.AddFile("/t/bk/earlier", [1]);
        Store.AddFile("/t/y", [1]);
        var result = await UpAsync(Sync(folder) with { DryRun = true });
        Assert.That((result.Deleted, result.Failed), Is.EqualTo((1L, 0L)), Why(result));
    }

    [Test]
    public async Task A_file_of_the_name_of_the_folder_of_backups_is_not_sent()
    {
        Local.Add("old", [1], Samples.Time);
        Store.AddDirectory("/else");
        Store.AddLink("/t/old", "/else");
        var result = await UpAsync(Sync());
        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo((0L, 1L, 0L)), Why(result));
        Assert.That(Store["/t/old"]?.LinkTarget, Is.EqualTo("/else"));
    }

    [TestCase("mkdir")]
    [TestCase("move")]
    public async Task A_backup_without_a_place_is_a_failure_and_the_file_stays(string operation)
    {
        Local.Add("x", [1], Samples.Time);
        Store.AddFile("/t/y", [1]);
        for (var nth = 1; nth <= 5; nth++)
            Store.Faults.On(operation, Fault.Refusal(TransferError.NotFound), nth, path => path is "/t/old" or "/t/old/y");
        var result = await UpAsync(Sync());
        Assert.That((result.Deleted, result.Failures.Single().Path), Is.EqualTo((0L, "y")));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/x", "/t/y" }));
    }

    [Test]
    public async Task No_backup_takes_the_place_of_an_earlier_one()
    {
        Store.AddFile("/t/a", [0], Samples.Time);
        for (byte run = 1; run <= 3; run++)
        {
            Local.Add("a", [run, run], Samples.Time.AddMinutes(run));
            Assert.That((await UpAsync(Sync())).Failed, Is.Zero);
        }
        Assert.That(Content("/t/a"), Is.EqualTo(new byte[] { 3, 3 }));
        Assert.That(new[] { "/t/old/a", "/t/old/a.~1~", "/t/old/a.~2~" }.Select(path => Content(path)[0]),
            Is.EqualTo(new byte[] { 0, 1, 2 }));
    }

    [Test]
    public async Task What_cannot_be_moved_is_left_and_named([Values] bool replaced)
    {
        if (replaced) Local.Add("a", [2, 2], Samples.Time);
        Local.Add("b", [2, 2], Samples.Time);
        Store.AddFile("/t/a", [1], Samples.Time);
        Store.AddFile("/t/b", [1], Samples.Time);
        Store.Faults.On("move", Fault.Refusal(TransferError.Denied), path: path => path == "/t/old/a");
        var result = await UpAsync(Sync());
        var failure = result.Failures.Single();
        Assert.That((failure.Path, failure.Error!.Error), Is.EqualTo(("a", TransferError.Denied)));
        Assert.That(failure.Error.Message, Does.Contain("/t/a could not be moved to /t/old/a"));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/a", "/t/b", "/t/old/b" }));
        Assert.That(Content("/t/a"), Is.EqualTo(new byte[] { 1 }));
    }

    [Test]
    public async Task An_old_file_whose_new_one_cannot_get_the_name_gets_it_back()
    {
        Local.Add("a", [2, 2], Samples.Time);
        Store.AddFile("/t/a", [1], Samples.Time);
        Store.Faults.On("move", Fault.Refusal(TransferError.Denied), path: path => path == "/t/a");
        var result = await UpAsync(Sync());
        Assert.That(result.Failed, Is.EqualTo(1));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/a" }));
        Assert.That(Content("/t/a"), Is.EqualTo(new byte[] { 1 }));
    }

    [TestCase("uploaded", null)]
    [TestCase("move", "/t/old/a")]
    [TestCase("move", "/t/a")]
    public async Task A_session_that_is_lost_meanwhile_loses_neither_of_the_two(string operation, string? path)
    {
        Local.Add("a", [2, 2], Samples.Time);
        Store.AddFile("/t/a", [1], Samples.Time);
        Store.Faults.On(operation, new Fault { LoseAfter = true }, path: path is null ? null : at => at == path);
        var result = await UpAsync(Sync());
        Assert.That(result.Failed, Is.Zero, Why(result));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/a", "/t/old/a" }));
        Assert.That((Content("/t/a"), Content("/t/old/a")), Is.EqualTo((new byte[] { 2, 2 }, new byte[] { 1 })));
    }

    [Test]
    public async Task A_folder_in_the_way_is_not_moved_away()
    {
        Local.Add("a", [2], Samples.Time);
        Store.AddFile("/t/a/file", [1]);
        var result = await Client.UploadDirectoryAsync(Local.Path, "/t",
            new DirectoryOptions { Overwrite = OverwriteMode.Always, BackupDirectory = "old" }).Soon();
        Assert.That(result.Failures.Single().Error!.Error, Is.EqualTo(TransferError.Exists));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/a/file" }));
    }

    [Test]
    public async Task A_dry_run_moves_nothing_and_tells_the_same()
    {
        Local.Add("a", [2, 2], Samples.Time);
        Store.AddFile("/t/a", [1], Samples.Time);
        Store.AddFile("/t/gone", [1]);
        Store.AddFile("/t/old/earlier", [1]);
        var result = await UpAsync(Sync() with { DryRun = true });
        Assert.That((result.Files, result.Deleted), Is.EqualTo((1L, 1L)));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/a", "/t/gone", "/t/old/earlier" }));
    }

    [Test]
    public async Task One_file_has_a_backup_too()
    {
        var local = Local.Add("a", [2, 2], Samples.Time);
        Store.AddFile("/t/a", [1]);
        var options = new UploadOptions { Overwrite = OverwriteMode.Always, BackupDirectory = "old" };
        await Client.UploadFileAsync(local, "/t/a", options).Soon();
        await Client.UploadFileAsync(local, "/t/b", options).Soon();
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/a", "/t/b", "/t/old/a" }));
        Assert.That(Content("/t/old/a"), Is.EqualTo(new byte[] { 1 }));
    }

    [Test]
    public async Task Here_it_is_the_same([Values] bool inside)
    {
        Store.AddFile("/t/d/changed", [2, 2], Samples.Time);
        Local.Add("to/d/changed", [1], Samples.Time);
        Local.Add("to/gone/file", [9], Samples.Time);
        var folder = inside ? "old" : Local["old"];
        var old = inside ? "to/old" : "old";
        for (var run = 0; run < 2; run++)
        {
            var result = await Client.SynchronizeAsync(Local["to"], "/t", SyncDirection.Down, Sync(folder)).Soon();
            Assert.That(result.Failed, Is.Zero, Why(result));
            Local.Add("to/d/changed", [3], Samples.Time);
        }
        Assert.That(Local.Read($"{old}/d/changed"), Is.EqualTo(new byte[] { 1 }));
        Assert.That(Local.Read($"{old}/d/changed.~1~"), Is.EqualTo(new byte[] { 3 }));
        Assert.That(Local.Read($"{old}/gone/file"), Is.EqualTo(new byte[] { 9 }));
        Assert.That(Directory.Exists(Local["to/gone"]), Is.False);

        await Client.DownloadFileAsync("/t/d/changed", Local["to/d/changed"],
            new DownloadOptions { Overwrite = OverwriteMode.Always, BackupDirectory = "saved" }).Soon();
        Assert.That((Local.Read("to/d/changed"), Local.Read("to/d/saved/changed")), Is.EqualTo((new byte[] { 2, 2 }, new byte[] { 3 })));
    }

    [Test]
    public async Task What_contradicts_itself_is_refused()
    {
        Local.Add("a", [1]);
        foreach (var options in new[] { Sync() with { Publish = PublishMode.Direct }, Sync(" "), Sync("."), Sync("/t"), Sync("/t/") })
            await Assert.CatchAsync<ArgumentException>(async () => await UpAsync(options));
        foreach (var options in new[] { Sync() with { Publish = PublishMode.Direct }, Sync(" "), Sync("."), Sync(Local.Path) })
        {
            await Assert.CatchAsync<ArgumentException>(
                async () => await Client.SynchronizeAsync(Local.Path, "/t", SyncDirection.Down, options));
        }
    }

    [TestCase("a", "a", "a.~1~")]
    [TestCase("a", "a|a.~1~|a.~9~|a.~10~", "a.~11~")]
    [TestCase("a", "a|a.~x~|a.~~|a.~-1~|b.~5~|a.~7~.txt", "a.~1~")]
    [TestCase("a", "A.~3~", "a.~4~")]
    public void Names_of_backups_are_counted_up(string name, string taken, string next) =>
        Assert.That(BackupNames.Next(name, taken.Split('|')), Is.EqualTo(next));

    private static string Why(JobResult result) => string.Join('\n', result.Failures.Select(item => $"{item.Path}: {item.Error}"));

    private byte[] Content(string path) =>
        Store[path]?.Content ?? throw new AssertionException($"{path} is not there: {string.Join(", ", Store.Files)}");

    private Task<JobResult> UpAsync(SyncOptions options) =>
        Client.StartSynchronize(Local.Path, "/t", SyncDirection.Up, options, readItems: true).TellAsync(Items).Soon();
}
