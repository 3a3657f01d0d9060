namespace Transfer.Tests.Engine;

public sealed class FolderUploadTests : MemoryFixture
{
    [Test]
    public async Task Many_files_in_many_folders_arrive_with_their_contents_and_times()
    {
        for (var i = 0; i < 300; i++) Local.Add($"d{i % 7}/e{i % 3}/f{i}.bin", Samples.Bytes(i * 37, i), Samples.Time.AddMinutes(i));
        Local.Add("empty", []);
        var items = new Collected<ItemResult>();
        var progress = new Collected<TransferProgress>();

        var result = await Client.StartUploadDirectory(Local.Path, "/a/b", new(), readItems: true, progress).TellAsync(items).Soon();

        Assert.That(result.Failures, Is.Empty);
        Assert.That(result.Files, Is.EqualTo(301));
        Assert.That(result.Bytes, Is.EqualTo(Enumerable.Range(0, 300).Sum(i => i * 37)));
        Assert.That(result.Sessions, Is.InRange(1, 8));
        Assert.That(Store.Files, Is.EquivalentTo(Local.Files.Select(file => "/a/b/" + file)));
        for (var i = 0; i < 300; i++)
        {
            var node = Store[$"/a/b/d{i % 7}/e{i % 3}/f{i}.bin"]!;
            Assert.That(node.Content.AsSpan().SequenceEqual(Samples.Bytes(i * 37, i)));
            Assert.That(node.Modified, Is.EqualTo(Samples.Time.AddMinutes(i)));
        }
        Assert.That(items.Values.Select(item => item.Path), Is.EquivalentTo(Local.Files));
        Assert.That(progress.Values[^1], Is.EqualTo(new TransferProgress
        {
            Bytes = result.Bytes,
            TotalBytes = result.Bytes,
            Files = 301,
            TotalFiles = 301,
            BytesPerSecond = progress.Values[^1].BytesPerSecond,
            FilesPerSecond = progress.Values[^1].FilesPerSecond,
        }));
    }

    [Test]
    public async Task Empty_folders_are_made_and_missing_parents_of_the_target_too()
    {
        Directory.CreateDirectory(Local["x/y/z"]);
        var result = await Client.UploadDirectoryAsync(Local.Path, "/p/q/r").Soon();
        Assert.That(result.Files, Is.Zero);
        Assert.That(Store["/p/q/r/x/y/z"]?.IsDirectory, Is.True);
    }

    [Test]
    public async Task One_session_is_enough_for_listing_making_folders_and_sending()
    {
        for (var i = 0; i < 200; i++) Local.Add($"d{i % 20}/f{i}", Samples.Bytes(100, i));
        Store.AddFile("/t/d3/f3", [1]);
        await using var client = new MemoryTransferClient(Store, new() { MaxSessions = 1 });
        var result = await client.UploadDirectoryAsync(Local.Path, "/t", new() { Overwrite = OverwriteMode.Skip }).Soon();
        Assert.That((result.Files, result.Skipped, result.Failed, result.Sessions), Is.EqualTo((199L, 1L, 0L, 1)));
        Assert.That(Store.Peak, Is.EqualTo(1));
    }

    [Test]
    public async Task The_number_of_sessions_can_be_limited_for_a_job()
    {
        for (var i = 0; i < 100; i++) Local.Add($"f{i}", Samples.Bytes(100, i));
        var result = await Client.UploadDirectoryAsync(Local.Path, "/t", new() { Sessions = 2 }).Soon();
        Assert.That(result.Files, Is.EqualTo(100));
        Assert.That(result.Sessions, Is.InRange(1, 2));
    }

    [Test]
    public async Task A_server_that_allows_fewer_sessions_gets_everything_over_those()
    {
        for (var i = 0; i < 200; i++) Local.Add($"f{i}", Samples.Bytes(500, i));
        Store.SessionLimit = 3;
        var result = await Client.UploadDirectoryAsync(Local.Path, "/t").Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((200L, 0L)));
        Assert.That(Store.Peak, Is.LessThanOrEqualTo(3));
    }

    [Test]
    public async Task A_directory_that_cannot_be_made_fails_what_is_in_it_and_nothing_else()
    {
        Local.Add("good/a", [1]);
        Local.Add("bad/b", [2]);
        Local.Add("bad/deep/c", [3]);
        Directory.CreateDirectory(Local["bad/empty"]);
        Store.Faults.On("mkdir", Fault.Refusal(TransferError.Denied), path: path => path == "/t/bad");

        var result = await Client.UploadDirectoryAsync(Local.Path, "/t").Soon();

        Assert.That(result.Files, Is.EqualTo(1));
        Assert.That(result.Failures.Select(item => item.Path), Is.EquivalentTo(new[] { "bad/b", "bad/deep/c", "bad/empty" }));
        Assert.That(result.Failures.Select(item => item.Error!.Error), Is.All.EqualTo(TransferError.Denied));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/good/a" }));
    }

    [Test]
    public async Task One_refused_file_does_not_stop_the_rest()
    {
        for (var i = 0; i < 20; i++) Local.Add($"f{i}", Samples.Bytes(100, i));
        Store.Faults.On("upload", Fault.Refusal(TransferError.Quota), path: path => path == "/t/f7");
        var result = await Client.UploadDirectoryAsync(Local.Path, "/t").Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((19L, 1L)));
        Assert.That((result.Failures[0].Path, result.Failures[0].Error!.Error), Is.EqualTo(("f7", TransferError.Quota)));
        Assert.That(Store.Temporaries, Is.Empty);
    }

    [Test]
    public async Task Only_the_first_thousand_failures_are_kept_but_all_are_counted_and_told()
    {
        for (var i = 0; i < 1100; i++) Local.Add($"f{i}", []);
        for (var i = 0; i < 1100; i++) Store.AddFile($"/t/f{i}", [1]);
        var items = new Collected<ItemResult>();
        var result = await Client.StartUploadDirectory(Local.Path, "/t", new(), readItems: true).TellAsync(items).Soon();
        Assert.That((result.Failed, result.Failures.Count, items.Values.Count), Is.EqualTo((1100L, JobResult.MaxFailures, 1100)));
        Assert.That(result.Failures.Select(item => item.Error!.Error), Is.All.EqualTo(TransferError.Exists));
    }

    [TestCase(OverwriteMode.Fail, 1, 0, 3)]
    [TestCase(OverwriteMode.Skip, 1, 3, 0)]
    [TestCase(OverwriteMode.Newer, 2, 2, 0)]
    [TestCase(OverwriteMode.Always, 4, 0, 0)]
    public async Task Files_that_exist_are_treated_as_asked(OverwriteMode overwrite, int files, int skipped, int failed)
    {
        Local.Add("new", [1], Samples.Time);
        Local.Add("older", [1], Samples.Time);
        Local.Add("same", [1], Samples.Time.AddMilliseconds(400)); // the store's times have whole seconds
        Local.Add("newer", [1], Samples.Time.AddSeconds(1));
        foreach (var name in new[] { "older", "same", "newer" })
            Store.AddFile($"/t/{name}", [9, 9], name == "older" ? Samples.Time.AddSeconds(5) : Samples.Time);

        var result = await Client.UploadDirectoryAsync(Local.Path, "/t", new() { Overwrite = overwrite }).Soon();

        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo(((long)files, (long)skipped, (long)failed)));
        Assert.That(Store["/t/newer"]!.Content.Length, Is.EqualTo(overwrite is OverwriteMode.Newer or OverwriteMode.Always ? 1 : 2));
    }

    [TestCase(OverwriteMode.Fail)]
    [TestCase(OverwriteMode.Newer)]
    [TestCase(OverwriteMode.Always)]
    public async Task A_directory_in_the_way_of_a_file_is_a_failure_and_so_is_the_contrary(OverwriteMode overwrite)
    {
        Local.Add("file", [1]);
        Local.Add("folder/x", [1]);
        Store.AddDirectory("/t/file");
        Store.AddFile("/t/folder", [1]);
        var result = await Client.UploadDirectoryAsync(Local.Path, "/t", new() { Overwrite = overwrite }).Soon();
        Assert.That(result.Failures.Select(item => (item.Path, item.Error!.Error)), Is.EquivalentTo(new[]
        {
            ("file", TransferError.Exists), ("folder/x", TransferError.Exists),
        }));
        Assert.That(Store.Temporaries, Is.Empty);
    }

    [Test]
    public async Task A_target_that_cannot_be_listed_is_not_written_over()
    {
        Local.Add("f", [1]);
        Store.AddFile("/t/f", [2]);
        Store.Faults.On("list", Fault.Refusal(TransferError.Denied));
        var result = await Client.UploadDirectoryAsync(Local.Path, "/t", new() { Overwrite = OverwriteMode.Newer }).Soon();
        Assert.That(result.Failures.Single().Error!.Error, Is.EqualTo(TransferError.Denied));
        Assert.That(Store["/t/f"]!.Content, Is.EqualTo(new byte[] { 2 }));
    }

    [Test]
    public async Task A_new_target_is_not_listed()
    {
        Local.Add("d/f", [1]);
        await Client.UploadDirectoryAsync(Local.Path, "/t").Soon();
        Assert.That(Store.Faults.Count("list"), Is.Zero);
    }

    [Test]
    public async Task A_file_that_cannot_be_read_is_denied_and_the_rest_goes()
    {
        if (OperatingSystem.IsWindows() || Environment.IsPrivilegedProcess) Assert.Ignore("Needs a user who can be denied something.");
        Local.Add("a", [1]);
        var unreadable = Local.Add("b", [1]);
        if (!OperatingSystem.IsWindows()) File.SetUnixFileMode(unreadable, UnixFileMode.None);
        var result = await Client.UploadDirectoryAsync(Local.Path, "/t").Soon();
        Assert.That(result.Files, Is.EqualTo(1));
        Assert.That(result.Failures.Single().Error!.Error, Is.EqualTo(TransferError.Denied));
    }

    [Test]
    public async Task A_file_that_vanishes_before_its_turn_is_not_found_and_no_session_hears_of_it()
    {
        Local.Add("a", [1]);
        Local.Add("b", [1]);
        // The folder is made after it was read and before anything is sent.
        Store.Faults.On("mkdir", new Fault { Hold = _ => { File.Delete(Local["b"]); return Task.CompletedTask; } });
        var result = await Client.UploadDirectoryAsync(Local.Path, "/t").Soon();
        Assert.That((result.Files, result.Failures.Single().Error!.Error), Is.EqualTo((1L, TransferError.NotFound)));
        Assert.That(Store.Faults.Count("upload"), Is.EqualTo(1));
    }

    [TestCase(10)]
    [TestCase(-10)]
    public async Task A_file_that_changes_its_size_while_it_is_sent_is_not_published(int by)
    {
        var path = Local.Add("f", Samples.Bytes(100_000));
        Store.Faults.On("upload", new Fault
        {
            Hold = _ =>
            {
                using var file = new FileStream(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
                file.SetLength(100_000 + by);
                return Task.CompletedTask;
            },
        });
        var result = await Client.UploadDirectoryAsync(Local.Path, "/t").Soon();
        Assert.That(result.Failures.Single().Error!.Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(Store.Files, Is.Empty);
    }

    [Test]
    public async Task Names_with_a_line_end_are_refused_here()
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("There are no such names.");
        Local.Add("a\nDELE b", [1]);
        Local.Add("good \"name\" ünïcode", [1]);
        var result = await Client.UploadDirectoryAsync(Local.Path, "/t").Soon();
        Assert.That(result.Failures.Single().Error!.Error, Is.EqualTo(TransferError.Unsupported));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/good \"name\" ünïcode" }));
    }

    [Test]
    public async Task Pipes_and_sockets_are_skipped()
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("There are none.");
        Local.Add("empty", []);
        using var socket = new System.Net.Sockets.Socket(System.Net.Sockets.AddressFamily.Unix, System.Net.Sockets.SocketType.Stream, 0);
        socket.Bind(new System.Net.Sockets.UnixDomainSocketEndPoint(Local["socket"]));
        Local.AddPipe("pipe");
        var result = await Client.UploadDirectoryAsync(Local.Path, "/t").Soon();
        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo((1L, 2L, 0L)));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/empty" }));
    }

    [Test]
    public async Task A_very_deep_tree_goes_up_and_comes_down()
    {
        var path = string.Join('/', Enumerable.Range(0, 150).Select(i => $"d{i}"));
        Local.Add(path + "/f", [1, 2, 3]);
        Assert.That((await Client.UploadDirectoryAsync(Local.Path, "/t").Soon()).Files, Is.EqualTo(1));
        using var back = new TempFolder();
        Assert.That((await Client.DownloadDirectoryAsync("/t", back.Path).Soon()).Files, Is.EqualTo(1));
        Assert.That(back.Read(path + "/f"), Is.EqualTo(new byte[] { 1, 2, 3 }));
    }

    [Test]
    public async Task A_local_folder_that_does_not_exist_fails_the_job_and_makes_nothing()
    {
        var error = await Client.UploadDirectoryAsync(Local["no"], "/t").Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.NotFound));
        Assert.That(Store["/t"], Is.Null);
    }

    [Test]
    public async Task A_target_that_cannot_be_made_fails_the_job()
    {
        Local.Add("a", [1]);
        Store.AddFile("/t", [1]);
        var error = await Client.UploadDirectoryAsync(Local.Path, "/t").Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Exists));
    }

    [Test]
    public async Task Published_directly_there_are_no_temporary_names()
    {
        Local.Add("a", [1]);
        var result = await Client.UploadDirectoryAsync(Local.Path, "/t", new() { Publish = PublishMode.Direct }).Soon();
        Assert.That(result.Files, Is.EqualTo(1));
        Assert.That(Store.Faults.Count("move"), Is.Zero);
    }
}
