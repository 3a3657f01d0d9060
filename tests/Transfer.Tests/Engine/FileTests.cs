namespace Transfer.Tests.Engine;

public sealed class FileTests
{
    private MemoryStore _store = null!;
    private TempFolder _local = null!;
    private MemoryTransferClient _client = null!;

    [SetUp]
    public void SetUp()
    {
        _store = new MemoryStore();
        _local = new TempFolder();
        _client = new MemoryTransferClient(_store, endpoint: "memory://host/base%20dir/");
        _store.AddDirectory("/base dir");
    }

    [TearDown]
    public async Task TearDown()
    {
        await _client.DisposeAsync();
        _local.Dispose();
    }

    [TestCase(OverwriteMode.Skip)]
    [TestCase(OverwriteMode.Fail)]
    public async Task A_local_target_that_appears_while_its_file_is_fetched_stays_as_it_is(OverwriteMode overwrite)
    {
        _store.AddFile("/f", [1, 2, 3]);
        _store.Faults.On("download", new Fault
        {
            Hold = _ =>
            {
                _local.Add("f", [9]);
                return Task.CompletedTask;
            },
        });
        var download = _client.DownloadFileAsync("/f", _local["f"], new() { Overwrite = overwrite });
        if (overwrite == OverwriteMode.Skip) Assert.That((await download.Soon()).Skipped);
        else Assert.That((await download.Failure<TransferException>()).Error, Is.EqualTo(TransferError.Exists));
        Assert.That(_local.Read("f"), Is.EqualTo(new byte[] { 9 }));
        Assert.That(_local.Files, Is.EqualTo(new[] { "f" }), "no partial file stays");
    }

    [Test]
    public async Task Of_a_folders_files_that_appear_while_they_are_moved_no_part_stays([Values("upload", "download", "copy")] string way)
    {
        var target = new MemoryStore();
        await using var other = new MemoryTransferClient(target, endpoint: "memory://other/");
        if (way == "upload") _local.Add("s/f", [1, 2, 3]);
        else _store.AddFile("/s/f", [1, 2, 3]);
        (way == "copy" ? target : _store).Faults.On(way == "download" ? "downloaded" : "uploaded", new Fault
        {
            Hold = _ =>
            {
                if (way == "download") _local.Add("t/f", [9]);
                else (way == "copy" ? target : _store).AddFile("/t/f", [9]);
                return Task.CompletedTask;
            },
        });
        var options = new DirectoryOptions { Overwrite = OverwriteMode.Skip };
        var result = await (way switch
        {
            "upload" => _client.UploadDirectoryAsync(_local["s"], "/t", options),
            "download" => _client.DownloadDirectoryAsync("/s", _local["t"], options),
            _ => _client.CopyDirectoryAsync("/s", other, "/t", options),
        }).Soon();
        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo((0L, 1L, 0L)));
        Assert.That(_local.Files.Concat(_store.Files).Concat(target.Files), Has.None.EndsWith(".part"));
    }

    [Test]
    public async Task A_target_that_ends_in_a_slash_is_a_directory_in_which_the_file_keeps_its_name()
    {
        _store.AddDirectory("/d");
        _store.AddDirectory("/e");
        var path = _local.Add("f", [1, 2]);
        await _client.UploadFileAsync(path, "/d/").Soon();
        await _client.CopyFileAsync("/d/f", _client, "/e/").Soon();
        await _client.UploadFileAsync(path, "/").Soon();
        Assert.That(_store.Files, Is.EquivalentTo(new[] { "/d/f", "/e/f", "/f" }));

        Directory.CreateDirectory(_local["in"]);
        await _client.DownloadFileAsync("/d/f", _local["in"] + Path.DirectorySeparatorChar).Soon();
        Assert.That(_local.Read("in/f"), Is.EqualTo(new byte[] { 1, 2 }));

        var made = new DownloadOptions { CreateDirectories = true };
        await _client.DownloadFileAsync("/d/f", Path.Join(_local.Path, "new/."), made).Soon();
        Assert.That(_local.Read("new/f"), Is.EqualTo(new byte[] { 1, 2 }));
    }

    [TestCase("/d/..")]
    [TestCase("/d/.")]
    [TestCase("/")]
    public void A_name_that_leads_out_of_the_local_directory_is_refused_before_anything_is_asked(string remote)
    {
        var error =
            Assert.Catch<ArgumentException>(() => _ = _client.DownloadFileAsync(remote, _local.Path + Path.DirectorySeparatorChar))!;
        Assert.That(error.ParamName, Is.EqualTo("localPath"));
    }

    [Test]
    public async Task Missing_local_directories_are_made_where_the_options_say_so_and_not_for_what_is_absent()
    {
        _store.AddFile("/f", [1]);
        var options = new DownloadOptions { CreateDirectories = true, TemporaryDirectory = _local["t/u"] };
        var error = await _client.DownloadFileAsync("/f", _local["a/b/f"]).Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.NotFound));
        Assert.That(error.Message, Does.Contain(_local["a/b/f"]).And.Not.Contain(".transfer-"), "it names what was asked for");
        await _client.DownloadFileAsync("/none", _local["a/b/f"], options).Failure<TransferException>();
        Assert.That(Directory.Exists(_local["a"]), Is.False);

        await _client.DownloadFileAsync("/f", _local["a/b/f"], options).Soon();
        await _client.DownloadFileAsync("/f", _local["c/g"], new() { CreateDirectories = true, Publish = PublishMode.Direct }).Soon();
        Assert.That((_local.Read("a/b/f"), _local.Read("c/g"), Directory.Exists(_local["t/u"])),
            Is.EqualTo((new byte[] { 1 }, new byte[] { 1 }, true)));
    }

    [TestCase(0)]
    [TestCase(1)]
    [TestCase(3_000_000)]
    public async Task A_file_goes_up_and_comes_down(int length)
    {
        var bytes = Samples.Bytes(length);
        var path = _local.Add("f", bytes, Samples.Time);
        var progress = new Collected<TransferProgress>();

        var up = await _client.UploadFileAsync(path, "x", progress: progress).Soon();
        var down = await _client.DownloadFileAsync("/base dir/x", _local["g"]).Soon();

        Assert.That((up.Bytes, up.Attempts, up.Verified, up.Skipped), Is.EqualTo((length, 1, VerificationMode.Size, false)));
        Assert.That((down.Bytes, down.Attempts, down.Verified), Is.EqualTo((length, 1, VerificationMode.Size)));
        Assert.That(_local.Read("g").AsSpan().SequenceEqual(bytes));
        Assert.That(File.GetLastWriteTimeUtc(_local["g"]), Is.EqualTo(Samples.Time.UtcDateTime));
        Assert.That((progress.Values[^1].Bytes, progress.Values[^1].TotalBytes, progress.Values[^1].Files),
            Is.EqualTo((length, (long?)length, 1L)));
        Assert.That(_store.Temporaries, Is.Empty);
        Assert.That(_local.Files, Is.EqualTo(new[] { "f", "g" }));
    }

    [Test]
    public async Task Times_are_not_kept_when_that_is_not_wanted()
    {
        var path = _local.Add("f", [1], Samples.Time);
        await _client.UploadFileAsync(path, "x", new() { PreserveModified = false }).Soon();
        Assert.That(_store.Faults.Count("set"), Is.Zero);
        await _client.UploadFileAsync(path, "y", new() { Modified = Samples.Time.AddDays(1) }).Soon();
        Assert.That(_store["/base dir/y"]!.Modified, Is.EqualTo(Samples.Time.AddDays(1)));
        await _client.DownloadFileAsync("y", _local["g"], new() { PreserveModified = false }).Soon();
        Assert.That(File.GetLastWriteTimeUtc(_local["g"]), Is.Not.EqualTo(Samples.Time.AddDays(1).UtcDateTime));
    }

    [TestCase(OverwriteMode.Fail, false, ExpectedResult = "Exists")]
    [TestCase(OverwriteMode.Fail, true, ExpectedResult = "Exists")]
    [TestCase(OverwriteMode.Skip, true, ExpectedResult = "skipped")]
    [TestCase(OverwriteMode.Newer, true, ExpectedResult = "done")]
    [TestCase(OverwriteMode.Newer, false, ExpectedResult = "skipped")]
    [TestCase(OverwriteMode.Always, false, ExpectedResult = "done")]
    public async Task<string> An_existing_target_is_treated_as_asked_in_both_directions(OverwriteMode overwrite, bool newer)
    {
        var time = newer ? Samples.Time.AddSeconds(2) : Samples.Time;
        _local.Add("f", [1], time);
        _store.AddFile("/base dir/f", [2, 2], Samples.Time);
        _store.AddFile("/base dir/g", [1], time);
        _local.Add("g", [2, 2], Samples.Time);

        var up = await Describe(_client.UploadFileAsync(_local["f"], "f", new() { Overwrite = overwrite }),
            () => _store["/base dir/f"]!.Content.Length == 1);
        var down = await Describe(_client.DownloadFileAsync("g", _local["g"], new() { Overwrite = overwrite }),
            () => _local.Read("g").Length == 1);
        Assert.That(down, Is.EqualTo(up));
        return up;
    }

    [Test]
    public async Task Always_does_not_look_first()
    {
        await _client.UploadAsync(new MemoryStream([1]), "f",
            new() { Overwrite = OverwriteMode.Always, Verify = VerificationMode.Reply }).Soon();
        Assert.That(_store.Faults.Count("stat"), Is.Zero);
    }

    [Test]
    public async Task A_target_that_appears_after_the_look_is_not_replaced()
    {
        _store.Faults.On("uploaded", new Fault { Hold = _ => { _store.AddFile("/base dir/f", [9]); return Task.CompletedTask; } });
        var error = await _client.UploadAsync(new MemoryStream([1]), "f").Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Exists));
        _store.DeleteFile("/base dir/f");
        _store.Faults.On("uploaded", new Fault { Hold = _ => { _store.AddFile("/base dir/f", [9]); return Task.CompletedTask; } });
        Assert.That((await _client.UploadAsync(new MemoryStream([1]), "f", new() { Overwrite = OverwriteMode.Skip }).Soon()).Skipped,
            Is.True);
        Assert.That(_store.Files, Is.EqualTo(new[] { "/base dir/f" }));
        Assert.That(_store["/base dir/f"]!.Content, Is.EqualTo(new byte[] { 9 }));
    }

    [Test]
    public async Task A_local_target_that_appears_while_it_is_fetched_is_not_replaced()
    {
        _store.AddFile("/base dir/f", [1]);
        _store.Faults.On("downloaded", new Fault { Hold = _ => { _local.Add("f", [9]); return Task.CompletedTask; } });
        var error = await _client.DownloadFileAsync("f", _local["f"]).Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Exists));
        Assert.That((_local.Files.Single(), _local.Read("f").Single()), Is.EqualTo(("f", (byte)9)));
    }

    [Test]
    public async Task Missing_directories_are_made_when_asked()
    {
        var error = await _client.UploadAsync(new MemoryStream([1]), "a/b/f").Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.NotFound));
        await _client.UploadAsync(new MemoryStream([1]), "a/b/f", new() { CreateDirectories = true }).Soon();
        Assert.That(_store["/base dir/a/b/f"], Is.Not.Null);
    }

    [Test]
    public async Task Streams_are_sent_from_where_they_stand_and_filled_where_they_stand()
    {
        var source = new MemoryStream(Samples.Bytes(100)) { Position = 40 };
        await _client.UploadAsync(source, "f").Soon();
        Same.Bytes(_store["/base dir/f"]!.Content, Samples.Bytes(100).AsSpan(40..));
        var target = new MemoryStream();
        target.Write([1, 2, 3]);
        await _client.DownloadAsync("f", target).Soon();
        Assert.That(target.ToArray(), Is.EqualTo((byte[])[1, 2, 3, .. Samples.Bytes(100)[40..]]));
        Assert.That(source.CanRead, Is.True, "left open");
    }

    [Test]
    public async Task After_a_loss_what_can_be_read_again_is_sent_again()
    {
        _store.Faults.CutAtByte(50_000);
        var result = await _client.UploadAsync(new MemoryStream(Samples.Bytes(100_000)), "f").Soon();
        Assert.That(result.Attempts, Is.EqualTo(2));
        Assert.That(_store.Files, Is.EqualTo(new[] { "/base dir/f" }), "the first attempt's file is gone");
        Assert.That(_store["/base dir/f"]!.Content.AsSpan().SequenceEqual(Samples.Bytes(100_000)));

        _store.Faults.CutAtByte(50_000);
        var target = new MemoryStream();
        Assert.That((await _client.DownloadAsync("f", target).Soon()).Attempts, Is.EqualTo(2));
        Assert.That(target.ToArray().AsSpan().SequenceEqual(Samples.Bytes(100_000)));

        _store.Faults.CutAtByte(50_000);
        Assert.That((await _client.DownloadFileAsync("f", _local["f"]).Soon()).Attempts, Is.EqualTo(2));
        Assert.That(_local.Files, Is.EqualTo(new[] { "f" }));
        Assert.That(_local.Read("f").AsSpan().SequenceEqual(Samples.Bytes(100_000)));
    }

    [Test]
    public async Task What_cannot_be_read_again_is_not_sent_again_after_its_first_byte()
    {
        _store.Faults.CutAtByte(50_000);
        var error = await _client.UploadAsync(new ForwardOnly(Samples.Bytes(100_000)), "f").Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Lost));
        Assert.That(_store.Files, Is.Empty);

        _store.Faults.On("upload", new Fault { LoseBefore = true });
        Assert.That((await _client.UploadAsync(new ForwardOnly(Samples.Bytes(1000)), "f").Soon()).Attempts, Is.EqualTo(2),
            "nothing was read yet");
        Assert.That(_store["/base dir/f"]!.Content.AsSpan().SequenceEqual(Samples.Bytes(1000)));
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task A_lost_answer_to_the_rename_is_looked_up_on_another_session(bool done)
    {
        _store.Faults.On("move", new Fault { LoseBefore = !done, LoseAfter = done });
        var result = await _client.UploadAsync(new ForwardOnly(Samples.Bytes(1000)), "f", new() { Modified = Samples.Time }).Soon();
        Assert.That((result.Bytes, result.Attempts, result.Verified), Is.EqualTo((1000L, 1, VerificationMode.Size)));
        Assert.That(_store.Files, Is.EqualTo(new[] { "/base dir/f" }));
        Assert.That(_store["/base dir/f"]!.Modified, Is.EqualTo(Samples.Time));
        Assert.That(_store.Faults.Count("upload"), Is.EqualTo(1));
    }

    [Test]
    public async Task A_target_of_another_size_is_not_taken_for_the_published_file()
    {
        // The temporary file is gone and what is there is not ours.
        _store.Faults.On("move", new Fault
        {
            Hold = _ =>
            {
                foreach (var file in _store.Temporaries) _store.DeleteFile(file);
                _store.AddFile("/base dir/f", [9]);
                throw new TransferConnectionException("lost");
            },
        });
        var result = await _client.UploadAsync(new MemoryStream(Samples.Bytes(1000)), "f",
            new() { Overwrite = OverwriteMode.Always }).Soon();
        Assert.That(result.Attempts, Is.EqualTo(2));
        Assert.That(_store["/base dir/f"]!.Content, Has.Length.EqualTo(1000));
    }

    [Test]
    public async Task Errors_of_a_stream_surface()
    {
        await _client.UploadAsync(new Broken(), "f").Failure<IOException>();
        _store.AddFile("/base dir/g", [1]);
        await _client.DownloadAsync("g", new Broken()).Failure<IOException>();
        Assert.That(_store.Files, Is.EqualTo(new[] { "/base dir/g" }));
    }

    [Test]
    public async Task What_is_not_there_or_no_file_is_an_error()
    {
        _store.AddDirectory("/base dir/d");
        Assert.That((await _client.UploadFileAsync(_local["no"], "f").Failure<TransferException>()).Error,
            Is.EqualTo(TransferError.NotFound));
        Assert.That((await _client.UploadFileAsync(_local.Path, "f").Failure<TransferException>()).Error,
            Is.EqualTo(TransferError.Unsupported));
        Assert.That((await _client.DownloadFileAsync("no", _local["f"]).Failure<TransferException>()).Error,
            Is.EqualTo(TransferError.NotFound));
        Assert.That((await _client.DownloadFileAsync("d", _local["f"]).Failure<TransferException>()).Error,
            Is.EqualTo(TransferError.Unsupported));
        _store.AddFile("/base dir/f", [1]);
        Assert.That((await _client.DownloadFileAsync("f", _local["no/f"]).Failure<TransferException>()).Error,
            Is.EqualTo(TransferError.NotFound));
        Assert.That(
            (await _client.DownloadFileAsync("f", _local.Path, new()
            { Overwrite = OverwriteMode.Always }).Failure<TransferException>()).Error, Is.EqualTo(TransferError.Exists));
        Assert.That(_local.Files, Is.Empty);
    }

    [Test]
    public async Task A_device_is_never_replaced_by_a_file()
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("There is none.");
        _store.AddFile("/base dir/f", [1]);
        var error = await _client.DownloadFileAsync("f", "/dev/null",
            new() { Overwrite = OverwriteMode.Always }).Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Exists));
    }

    [Test]
    public async Task A_replaced_file_keeps_its_permissions()
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("There are none of that kind.");
        _store.AddFile("/base dir/f", [1]);
        const UnixFileMode Mode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        var path = _local.Add("f", [2]);
        if (!OperatingSystem.IsWindows()) File.SetUnixFileMode(path, Mode);
        await _client.DownloadFileAsync("f", path, new() { Overwrite = OverwriteMode.Always }).Soon();
        Assert.That((File.ReadAllBytes(path).Single(), OperatingSystem.IsWindows() ? Mode : File.GetUnixFileMode(path)),
            Is.EqualTo(((byte)1, Mode)));
    }

    [TestCase("a\rb")]
    [TestCase("a\nb")]
    [TestCase("a\0b")]
    public void Paths_that_could_smuggle_a_command_are_refused_before_anything_is_sent(string path)
    {
        Assert.That(() => _client.UploadAsync(new MemoryStream(), path), Throws.ArgumentException);
        Assert.That(() => _client.ListAsync(path), Throws.ArgumentException);
        Assert.That(async () => await _client.DeleteAsync(path), Throws.ArgumentException);
        Assert.That(async () => await _client.OpenReadAsync(path), Throws.ArgumentException);
        Assert.That(_store.Opened, Is.Zero);
    }

    private static async Task<string> Describe(Task<TransferResult> transfer, Func<bool> replaced)
    {
        string told;
        try
        {
            told = (await transfer.Soon()).Skipped ? "skipped" : "done";
        }
        catch (TransferException e)
        {
            told = e.Error.ToString();
        }
        Assert.That(replaced(), Is.EqualTo(told == "done"));
        return told;
    }

    private sealed class ForwardOnly(byte[] bytes) : MemoryStream(bytes)
    {
        public override bool CanSeek => false;
    }

    private sealed class Broken : MemoryStream
    {
        public override bool CanSeek => false;

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
            throw new IOException("broken");

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
            throw new IOException("broken");
    }
}
