namespace Transfer.Tests.Local;

/// <summary>
/// Jobs that remove their sources, between two paths of one place: a server on this machine, a mounted folder, a link. The copy is the
/// source then, or takes its place, and no source is removed.
/// </summary>
public sealed class OneFolderTests
{
    private static readonly byte[] Content = [1, 2, 3];
    private static readonly DirectoryOptions Always = new() { Overwrite = OverwriteMode.Always };
    private static readonly DateTime Whole = new(2024, 5, 6, 7, 8, 10, DateTimeKind.Utc);

    private TempFolder _folder = null!;
    private LocalTransferClient _client = null!;
    private LocalTransferClient _other = null!;

    [SetUp]
    public void SetUp()
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("Links need rights there.");
        _folder = new TempFolder();
        (_client, _other) = (Open(), Open());
        foreach (var name in (string[])["d/f", "d/sub/g", "x/f"]) _folder.Add(name, Content, Whole);
        Directory.CreateSymbolicLink(_folder["l"], "d");
        Directory.CreateSymbolicLink(_folder["x/sub"], "../d/sub");
    }

    [TearDown]
    public async Task TearDown()
    {
        if (_folder is null) return;
        await _client.DisposeAsync();
        await _other.DisposeAsync();
        _folder.Dispose();
    }

    [Test]
    public async Task A_file_that_is_sent_to_itself_stays([Values("d/f", "l/f")] string to, [Values] Way way)
    {
        var options = new UploadOptions { RemoveSource = true, Overwrite = OverwriteMode.Always };
        Task job = way switch
        {
            Way.Up => _client.UploadFileAsync(_folder["d/f"], to, options),
            Way.Down => _client.DownloadFileAsync("d/f", _folder[to], new() { RemoveSource = true, Overwrite = OverwriteMode.Always }),
            Way.Copy => _client.CopyFileAsync("d/f", _client, to, options),
            _ => _client.CopyFileAsync("d/f", _other, to, options),
        };
        Assert.That((await job.Failure<TransferException>()).Message, Does.Contain("left at the source"));
        AllStay();
    }

    [Test]
    public async Task Files_of_a_list_that_are_sent_to_themselves_stay([Values(Way.Up, Way.Down)] Way way)
    {
        var options = new FilesOptions { RemoveSource = true, Overwrite = OverwriteMode.Always };
        var result = await (way == Way.Up
            ? _client.UploadFilesAsync(new[] { new FileUpload(_folder["d/f"], "l/f") }.ToAsyncEnumerable(), options)
            : _client.DownloadFilesAsync(new[] { new FileDownload("l/f", _folder["d/f"]) }.ToAsyncEnumerable(), options)).Soon();
        Assert.That(result.Failures.Single().IsLeft, Is.True);
        AllStay();
    }

    // The folders themselves, and two whose subfolders are one.
    [Test]
    public async Task A_folder_that_is_sent_to_itself_stays([Values("d", "l", "x")] string to, [Values] Way way)
    {
        var options = new DirectoryOptions { RemoveSource = true, Overwrite = OverwriteMode.Always };
        try
        {
            var result = await (way switch
            {
                Way.Up => _client.UploadDirectoryAsync(_folder["d"], to, options),
                Way.Down => _client.DownloadDirectoryAsync("d", _folder[to], options),
                Way.Copy => _client.CopyDirectoryAsync("d", _client, to, options),
                _ => _client.CopyDirectoryAsync("d", _other, to, options),
            }).Soon();
            Assert.That(result.Failed, Is.Positive);
        }
        catch (TransferException e)
        {
            Assert.That(e.Error, Is.AnyOf(TransferError.Denied, TransferError.Unsupported), e.ToString());
        }
        AllStay(to == "x" ? "d/f" : null);
    }

    [Test]
    public async Task A_folder_that_is_synchronized_with_itself_stays([Values("d", "l", "x")] string to, [Values] Way way)
    {
        var options = new SyncOptions { RemoveSource = true };
        try
        {
            var result = await (way switch
            {
                Way.Up => _client.SynchronizeAsync(_folder["d"], to, SyncDirection.Up, options),
                Way.Down => _client.SynchronizeAsync(_folder[to], "d", SyncDirection.Down, options),
                Way.Copy => _client.SynchronizeAsync("d", _client, to, options),
                _ => _client.SynchronizeAsync("d", _other, to, options),
            }).Soon();
            Assert.That(result.Failed, Is.Positive);
        }
        catch (TransferException e)
        {
            Assert.That(e.Error, Is.AnyOf(TransferError.Denied, TransferError.Unsupported), e.ToString());
        }
        AllStay(to == "x" ? "d/f" : null);
    }

    // By two clients, and by a path here and one at a server, no name tells.
    [Test]
    public async Task A_source_in_its_target_is_not_deleted_as_an_extra_folder([Values("d", "l")] string target, [Values] Way way)
    {
        var options = new SyncOptions { Delete = true, DetectMoves = true };
        Task<JobResult> job = way switch
        {
            Way.Up => _client.SynchronizeAsync(_folder["d/sub"], target, SyncDirection.Up, options),
            Way.Down => _client.SynchronizeAsync(_folder[target], "d/sub", SyncDirection.Down, options),
            Way.Copy => _client.SynchronizeAsync("d/sub", _client, target, options),
            _ => _client.SynchronizeAsync("d/sub", _other, target, options),
        };
        Assert.That((await job.Failure<TransferException>()).Error, Is.AnyOf(TransferError.Denied, TransferError.Unsupported));
        AllStay();
    }

    [Test]
    public async Task A_folder_is_not_filled_with_itself(
        [Values("d/sub", "d/new/deep", "l/sub", "x/sub", "x/sub/new")] string to, [Values("d", "l")] string from, [Values] Way way)
    {
        var before = _folder.Files;
        Task job = way switch
        {
            Way.Up => _client.UploadDirectoryAsync(_folder[from], to),
            Way.Down => _client.DownloadDirectoryAsync(from, _folder[to]),
            Way.Copy => _client.CopyDirectoryAsync(from, _client, to),
            _ => _client.CopyDirectoryAsync(from, _other, to),
        };
        Assert.That((await job.Failure<TransferException>()).Error, Is.EqualTo(TransferError.Unsupported));
        AllStay();
        Assert.That(_folder.Files, Is.EquivalentTo(before));
    }

    [Test]
    public async Task Nothing_is_written_through_a_link_in_the_target([Values] Way way, [Values] bool synchronizes)
    {
        _folder.Add("e/old", Content, Whole);
        _folder.Add("else/g", [9], Whole);
        Directory.CreateSymbolicLink(_folder["e/sub"], "../else");
        var other = way == Way.Copy ? _client : _other;
        var result = await ((way, synchronizes) switch
        {
            (Way.Up, false) => _client.UploadDirectoryAsync(_folder["d"], "e", Always),
            (Way.Up, true) => _client.SynchronizeAsync(_folder["d"], "e", SyncDirection.Up),
            (Way.Down, false) => _client.DownloadDirectoryAsync("d", _folder["e"], Always),
            (Way.Down, true) => _client.SynchronizeAsync(_folder["e"], "d", SyncDirection.Down),
            (_, false) => _client.CopyDirectoryAsync("d", other, "e", Always),
            (_, true) => _client.SynchronizeAsync("d", other, "e"),
        }).Soon();
        Assert.That((result.Files, result.Failures.Single().Path, result.Failures.Single().Error!.Error),
            Is.EqualTo((1L, "sub/g", TransferError.Denied)));
        Assert.That((_folder.Read("else/g"), _folder.Read("e/f")), Is.EqualTo((new byte[] { 9 }, Content)));
        AllStay();
    }

    [Test]
    public async Task Two_folders_are_two([Values] Way way)
    {
        var options = new DirectoryOptions { RemoveSource = true };
        var result = await (way switch
        {
            Way.Up => _client.UploadDirectoryAsync(_folder["d"], "new", options),
            Way.Down => _client.DownloadDirectoryAsync("d", _folder["new"], options),
            Way.Copy => _client.CopyDirectoryAsync("d", _client, "new", options),
            _ => _client.CopyDirectoryAsync("d", _other, "new", options),
        }).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((2L, 0L)));
        Assert.That(_folder.Files, Is.EquivalentTo(new[] { "new/f", "new/sub/g", "x/f" }));
    }

    // A source goes whose copy is at the target; what is not known stays.
    private void AllStay(string? mayGo = null)
    {
        foreach (var name in (string[])["d/f", "d/sub/g", "x/f"])
        {
            if (name == mayGo && !File.Exists(_folder[name])) continue;
            Assert.That(_folder.Read(name), Is.EqualTo(Content), name);
        }
        var all = Directory.EnumerateFiles(_folder.Path, "*", SearchOption.AllDirectories).Select(Path.GetFileName);
        Assert.That(all, Has.None.Matches<string?>(name => name!.StartsWith(".transfer", StringComparison.Ordinal)));
    }

    private LocalTransferClient Open() => LocalTransferClientTests.Open(_folder.Path);

    /// <summary>The way of a copy.</summary>
    public enum Way
    {
        /// <summary>From this machine to a server.</summary>
        Up,

        /// <summary>From a server to this machine.</summary>
        Down,

        /// <summary>Within a server.</summary>
        Copy,

        /// <summary>Between two servers.</summary>
        Between,
    }
}
