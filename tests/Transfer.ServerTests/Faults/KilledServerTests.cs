using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Faults;

/// <summary>The server dies in the middle: afterwards the old file is there, or the whole new one, never half.</summary>
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.Main))]
[Parallelizable]
public sealed class KilledServerTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private const int Megabyte = 1 << 20;

    protected override bool OwnServer => true;

    [Test]
    public async Task An_upload_that_is_cut_leaves_the_old_file_and_the_next_one_works()
    {
        var old = Bytes.Random(1000);
        Server.Plant(Remote + "/file", old);
        await using var client = Client();

        await using var source = new GatedStream(64 * Megabyte, before: 4 * Megabyte);
        var upload = client.UploadAsync(source, Remote + "/file", new UploadOptions { Overwrite = OverwriteMode.Always });
        await source.Reached.WaitAsync(TimeSpan.FromSeconds(20));
        Server.Kill();
        source.Open();
        var error = (await Assert.CatchAsync<TransferException>(() => upload))!;
        Assert.That(error.Error, Is.EqualTo(TransferError.Lost), error.ToString());
        Assert.That(error.IsTransient, Is.True);
        Bytes.AssertSame(File.ReadAllBytes(Server.Local(Remote + "/file")), old);

        await Server.StartAsync();
        using var next = new MemoryStream(Bytes.Random(2000, seed: 2));
        await client.UploadAsync(next, Remote + "/file", new UploadOptions { Overwrite = OverwriteMode.Always });
        Bytes.AssertSame(File.ReadAllBytes(Server.Local(Remote + "/file")), Bytes.Random(2000, seed: 2));
    }

    [Test]
    public async Task A_download_that_is_cut_leaves_the_old_file_and_the_next_one_works()
    {
        var content = Bytes.Random(64 * Megabyte);
        Server.Plant(Remote + "/file", content);
        var old = Bytes.Random(1000, seed: 2);
        var target = LocalFile("target", old);
        await using var client = Client();

        var first = new FirstReport();
        var download = client.DownloadFileAsync(Remote + "/file", target, new DownloadOptions { Overwrite = OverwriteMode.Always }, first);
        var started = await Task.WhenAny(first.Reported, download);
        Server.Kill();
        if (started == first.Reported && !download.IsCompletedSuccessfully)
        {
            try
            {
                await download;
            }
            catch (TransferException error)
            {
                Assert.That(error.Error, Is.EqualTo(TransferError.Lost), error.ToString());
                Bytes.AssertSame(File.ReadAllBytes(target), old);
            }
        }

        await Server.StartAsync();
        await client.DownloadFileAsync(Remote + "/file", target, new DownloadOptions { Overwrite = OverwriteMode.Always });
        Bytes.AssertSame(File.ReadAllBytes(target), content);
        Assert.That(Directory.EnumerateFileSystemEntries(Scratch).Select(Path.GetFileName), Is.EqualTo(new[] { "target" }),
            "no temporary file is left");
    }

    [Test]
    public async Task A_session_that_stands_still_at_the_end_is_waited_for_by_nobody()
    {
        const int Sessions = 4;
        var content = Bytes.Random(64 * Megabyte);
        Server.Plant(Remote + "/file", content);
        var target = Path.Combine(Scratch, "target");
        await using var client = Client(options => options with { MaxSessions = Sessions });
        await Task.WhenAll(Enumerable.Range(0, Sessions).Select(_ => client.GetEntryAsync(Remote + "/file").AsTask()));

        var first = new FirstReport();
        var download = client.DownloadFileAsync(Remote + "/file", target, new() { Segments = Sessions }, first);
        await Task.WhenAny(first.Reported, download);
        Server.FreezeOne();
        // Far sooner than the idle time-out. The frozen one may be one that had nothing to do, or that nothing is left for.
        var result = await download.WaitAsync(TimeSpan.FromSeconds(15));

        Bytes.AssertSame(File.ReadAllBytes(target), content);
        Assert.That(result.Attempts, Is.EqualTo(1));
        Assert.That(Directory.EnumerateFileSystemEntries(Scratch).Select(Path.GetFileName), Is.EqualTo(new[] { "target" }),
            "no temporary file is left");
    }

    [Test]
    public async Task A_folder_upload_that_is_cut_tells_what_failed_and_leaves_no_half_file()
    {
        var source = Path.Combine(Scratch, "source");
        TestTree.Write(source, files: 600);
        var some = new SomeItems(50);
        // Three seconds at least: on a busy machine the server died too late.
        await using var client = Client(options => options with { MaxBytesPerSecond = 1_000_000 });

        var job = client.StartUploadDirectory(source, Remote + "/tree", new DirectoryOptions(), readItems: true).TellAsync(some);
        await Task.WhenAny(some.Reached, job);
        Server.Kill();
        var result = await job;
        await Server.StartAsync();

        // Every file is told exactly once; a folder that could not be made is a failure of its own.
        var files = Directory.EnumerateFiles(source, "*", SearchOption.AllDirectories).Select(path => Path.GetRelativePath(source, path));
        Assert.That(some.Paths.Intersect(files).Count(), Is.EqualTo(600));
        Assert.That(some.Paths, Is.Unique);
        Assert.That(some.Paths, Has.Count.EqualTo(result.Files + result.Failed));
        Assert.That(result.Failed, Is.GreaterThan(0));
        // Whatever stands under its own name is whole; temporary files may be left, as nobody could delete them.
        var differences = TestTree.Differences(source, Server.Local(Remote + "/tree"), TimeSpan.MaxValue)
            .Where(line =>
                !line.StartsWith("missing: ", StringComparison.Ordinal) && !line.Contains(".transfer-", StringComparison.Ordinal));
        Assert.That(differences, Is.Empty);
    }

    private sealed class FirstReport : IProgress<TransferProgress>
    {
        private readonly TaskCompletionSource _reported = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task Reported => _reported.Task;

        public void Report(TransferProgress value)
        {
            if (value.Bytes > 0) _reported.TrySetResult();
        }
    }

    private sealed class SomeItems(int count) : IProgress<ItemResult>
    {
        private readonly TaskCompletionSource _reached = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly List<string> _paths = [];

        public Task Reached => _reached.Task;

        public IReadOnlyCollection<string> Paths
        {
            get { lock (_paths) return [.. _paths]; }
        }

        public void Report(ItemResult value)
        {
            lock (_paths)
            {
                _paths.Add(value.Path);
                if (_paths.Count == count) _reached.TrySetResult();
            }
        }
    }
}
