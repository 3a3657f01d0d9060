using Transfer.Local;

namespace Transfer.Tests.Engine;

/// <summary>Unfinished files in a folder of their own.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class TemporaryFolderTests : IDisposable
{
    private readonly MemoryStore _store = new() { Copies = true };
    private readonly MemoryStore _other = new();
    private readonly TempFolder _local = new(onDisk: true);
    private readonly Collected<string> _unfinished = new();

    public void Dispose() => _local.Dispose();

    [Test]
    public async Task Files_are_written_there_and_renamed_out_of_it(
        [Values("upload", "file", "write", "folder", "sync", "copy", "copy folder", "copy inside", "copy folder inside",
            "hash")] string how, [Values] bool absolute)
    {
        _other.AddFile("/s/f", Samples.Bytes(5000));
        _store.AddFile("/s/f", Samples.Bytes(5000));
        var path = _local.Add("s/f", Samples.Bytes(5000));
        var folder = absolute ? "/x/tmp" : "x/tmp";
        var one = new UploadOptions { TemporaryDirectory = folder, CreateDirectories = true };
        var many = new DirectoryOptions { TemporaryDirectory = folder };
        // Where a server copies for itself, it is the only operation that sees it.
        foreach (var operation in (string[])["uploaded", "copied"]) _store.Faults.On(operation, new Fault { Hold = LookThere });
        await using var client = new MemoryTransferClient(_store);
        await using var other = new MemoryTransferClient(_other);
        await (how switch
        {
            "upload" => client.UploadAsync(new MemoryStream(Samples.Bytes(5000)), "/t/f", one),
            "file" => client.UploadFileAsync(path, "/t/f", one),
            "write" => WriteAsync(client, one),
            "folder" => client.UploadDirectoryAsync(_local["s"], "/t", many),
            "sync" => client.SynchronizeAsync(_local["s"], "/t", SyncDirection.Up, new() { TemporaryDirectory = folder }),
            "copy" => other.CopyFileAsync("/s/f", client, "/t/f", one),
            "copy folder" => other.CopyDirectoryAsync("/s", client, "/t", many),
            "copy inside" => client.CopyFileAsync("/s/f", client, "/t/f", one),
            "copy folder inside" => (Task)client.CopyDirectoryAsync("/s", client, "/t", many),
            _ => client.UploadFileAsync(path, "/t/f", one with { Verify = VerificationMode.Hash }),
        }).Soon();
        Assert.That(_unfinished.Values.Single(), Does.StartWith(absolute ? "/x/tmp/.transfer-" : "/t/x/tmp/.transfer-"));
        Assert.That(_store["/t/f"]!.Content.AsSpan().SequenceEqual(Samples.Bytes(5000)));
        Assert.That(_store.Temporaries, Is.Empty);
    }

    [Test]
    public async Task Downloads_are_written_there_and_renamed_out_of_it([Values("file", "folder", "sync")] string how,
        [Values] bool absolute)
    {
        _store.AddFile("/s/f", Samples.Bytes(5000));
        using var far = new TempFolder(onDisk: true);
        var folder = absolute ? far["tmp"] : "x/tmp";
        var there = absolute ? folder : _local["t/x/tmp"];
        if (how == "file") Directory.CreateDirectory(there);
        _store.Faults.On("downloaded", new Fault
        {
            Hold = _ =>
            {
                foreach (var file in Directory.GetFiles(there)) _unfinished.Report(file);
                return Task.CompletedTask;
            },
        });
        await using var client = new MemoryTransferClient(_store);
        await (how switch
        {
            "file" =>
                client.DownloadFileAsync("/s/f", _local.Add("t/f", [1]),
                    new() { TemporaryDirectory = folder, Overwrite = OverwriteMode.Always }),
            "folder" => (Task)client.DownloadDirectoryAsync("/s", _local["t"], new() { TemporaryDirectory = folder }),
            _ => client.SynchronizeAsync(_local["t"], "/s", SyncDirection.Down, new() { TemporaryDirectory = folder }),
        }).Soon();
        Assert.That(_unfinished.Values, Has.Count.EqualTo(1));
        Assert.That(_local.Files, Is.EqualTo(new[] { "t/f" }));
        Assert.That(_local.Read("t/f").AsSpan().SequenceEqual(Samples.Bytes(5000)));
        Assert.That(Directory.GetFileSystemEntries(there), Is.Empty);
    }

    [Test]
    public async Task It_is_made_only_where_folders_are_and_when_there_is_something_to_write()
    {
        _store.AddDirectory("/t");
        await using var client = new MemoryTransferClient(_store);
        var refused = await client.UploadAsync(new MemoryStream([1]), "/t/f",
            new() { TemporaryDirectory = "tmp" }).Failure<TransferException>();
        Assert.That(refused.Error, Is.EqualTo(TransferError.NotFound));
        Directory.CreateDirectory(_local["s/empty"]);
        await client.UploadDirectoryAsync(_local["s"], "/t", new() { TemporaryDirectory = "tmp" }).Soon();
        _local.Add("s/f", [1]);
        await client.UploadDirectoryAsync(_local["s"], "/t", new() { TemporaryDirectory = "tmp", DryRun = true }).Soon();
        Assert.That((_store["/t/tmp"], _store["/t/empty"] is not null), Is.EqualTo(((MemoryNode?)null, true)));
    }

    [Test]
    public async Task Without_temporary_files_it_is_a_contradiction()
    {
        await using var client = new MemoryTransferClient(_store);
        var one = new UploadOptions { TemporaryDirectory = "tmp", Publish = PublishMode.Direct };
        var many = new DirectoryOptions { TemporaryDirectory = "tmp", Publish = PublishMode.Direct };
        var path = _local.Add("s/f", [1]);
        Refuse(() => client.UploadFileAsync(path, "/f", one));
        Refuse(() => client.UploadDirectoryAsync(_local["s"], "/t", many));
        Refuse(() => client.DownloadFileAsync("/f", path, new() { TemporaryDirectory = "tmp", Publish = PublishMode.Direct }));
        Refuse(() => client.DownloadDirectoryAsync("/t", _local["s"], many));
        Refuse(() => client.CopyFileAsync("/f", client, "/g", one));
        Refuse(() => client.CopyDirectoryAsync("/t", client, "/u", many));
        Refuse(() => client.UploadFileAsync(path, "/f", new() { TemporaryDirectory = "" }));
        Assert.That(_store.Files, Is.Empty);

        static void Refuse(Func<Task> start) => Assert.Catch<ArgumentException>(() => _ = start());
    }

    [Test]
    public async Task A_file_that_cannot_be_renamed_out_of_it_says_so_once_and_leaves_everything_as_it_was([Values] VerificationMode verify)
    {
        _store.AddFile("/t/f", [1]);
        _store.AddDirectory("/tmp");
        // Such a refusal may look like one that passes.
        var refusal = new TransferException(TransferError.Denied, "scripted: cannot rename") { IsTransient = true };
        for (var nth = 1; nth < 9; nth++) _store.Faults.On("move", new Fault { Refuse = refusal }, nth);
        await using var client = new MemoryTransferClient(_store);
        var failed = await client.UploadAsync(
            new MemoryStream(Samples.Bytes(5000)), "/t/f",
            new() { TemporaryDirectory = "/tmp", Overwrite = OverwriteMode.Always, Verify = verify }).Failure<TransferException>();
        Assert.That(failed.Message, Does.Contain("cannot rename").And.Contain("/tmp").And.Contain("TemporaryDirectory"));
        Assert.That((failed.Error, _store.Faults.Count("upload")), Is.EqualTo((TransferError.Denied, 1)));
        Assert.That(_store["/t/f"]!.Content, Is.EqualTo(new byte[] { 1 }));
        Assert.That(_store.Temporaries, Is.Empty);
    }

    [Test]
    public async Task On_another_file_system_a_local_file_fails_and_is_not_copied([Values] bool download, [Values] OverwriteMode overwrite)
    {
        if (!OperatingSystem.IsLinux()) Assert.Ignore("There is no second file system at a known place.");
        var shared = Directory.CreateDirectory($"/dev/shm/transfer-{Guid.NewGuid():N}");
        try
        {
            Assert.That(FileStatus.DeviceOf(shared.FullName), Is.Not.EqualTo(FileStatus.DeviceOf(_local.Path)), "two file systems");
            if (overwrite == OverwriteMode.Always) _local.Add("f", [1]);
            _store.AddFile("/f", Samples.Bytes(5000), Samples.Time);
            await using var memory = new MemoryTransferClient(_store);
            await using var local = new LocalTransferClient(new Uri("file:///"));
            var failed = download
                ? await memory.DownloadFileAsync("/f", _local["f"],
                    new() { TemporaryDirectory = shared.FullName, Overwrite = overwrite }).Failure<TransferException>()
                : await memory.CopyFileAsync("/f", local, _local["f"],
                    new() { TemporaryDirectory = shared.FullName, Overwrite = overwrite }).Failure<TransferException>();
            Assert.That(failed.Message, Does.Contain(shared.FullName).And.Contain("TemporaryDirectory"));
            Assert.That(failed.Error, Is.EqualTo(TransferError.Unsupported));
            if (overwrite == OverwriteMode.Always) Assert.That(_local.Read("f"), Is.EqualTo(new byte[] { 1 }));
            else Assert.That(_local.Files, Is.Empty);
            Assert.That(shared.GetFileSystemInfos(), Is.Empty);
        }
        finally
        {
            shared.Delete(recursive: true);
        }
    }

    [Test]
    public async Task Synchronising_leaves_it_where_it_is([Values("x/tmp", "./x/tmp", "absolute")] string folder, [Values] bool up)
    {
        // Another job may be about to use it.
        await using var client = new MemoryTransferClient(_store);
        if (up)
        {
            foreach (var extra in (string[])["/t/x/tmp", "/t/x/gone", "/t/gone"]) _store.AddDirectory(extra);
            _local.Add("s/f", [1]);
            await client.SynchronizeAsync(_local["s"], "/t", SyncDirection.Up,
                new() { Delete = true, TemporaryDirectory = folder == "absolute" ? "/t/x/tmp" : folder }).Soon();
            Assert.That((_store["/t/x/tmp"] is not null, _store["/t/x/gone"], _store["/t/gone"]),
                Is.EqualTo((true, (MemoryNode?)null, (MemoryNode?)null)));
            return;
        }
        foreach (var extra in (string[])["t/x/tmp", "t/x/gone", "t/gone"]) Directory.CreateDirectory(_local[extra]);
        _store.AddFile("/s/f", [1]);
        await client.SynchronizeAsync(_local["t"], "/s", SyncDirection.Down,
            new() { Delete = true, TemporaryDirectory = folder == "absolute" ? _local["t/x/tmp"] : folder }).Soon();
        Assert.That((Directory.Exists(_local["t/x/tmp"]), Directory.Exists(_local["t/x/gone"]), Directory.Exists(_local["t/gone"])),
            Is.EqualTo((true, false, false)));
    }

    private static async Task WriteAsync(MemoryTransferClient client, UploadOptions options)
    {
        await using var stream = await client.OpenWriteAsync("/t/f", options);
        await stream.WriteAsync(Samples.Bytes(5000));
        await stream.CommitAsync();
    }

    private Task LookThere(CancellationToken ct)
    {
        foreach (var file in _store.Temporaries) _unfinished.Report(file);
        return Task.CompletedTask;
    }
}
