using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Journal;

namespace Transfer.Tests.Engine.Journal;

/// <summary>Jobs of files that are named one by one, broken off and continued: each is remembered by its source and its target.</summary>
public sealed class FileListResumeTests
{
    private const int Large = (20 << 20) + 12_345;
    private const int Small = 60;

    private readonly byte[] _large = Samples.Bytes(Large);
    private TempFolder _local = null!;

    private string Journal => _local["job.journal"];

    [SetUp]
    public void CreateFolder() => _local = new TempFolder();

    [TearDown]
    public void DeleteFolder() => _local.Dispose();

    [Test]
    public async Task Uploads_send_again_only_what_is_missing_and_a_large_file_goes_on([Values(1, 4)] int sessions,
        [Values] OverwriteMode overwrite)
    {
        var server = new SegmentServer { Time = new SwiftTime() };
        for (var i = 0; i < Small; i++) _local.Add($"from/{i}", Samples.Bytes(1000 + i, i));
        _local.Add("large", _large);
        // Their order is another one the next time.
        List<FileUpload> files = [.. Enumerable.Range(0, Small).Select(i => new FileUpload(_local[$"from/{i}"], $"/there/{i % 3}/{i}"))];
        files.Insert(Small / 3, new(_local["large"], "/there/large"));
        var options = new FilesOptions { Journal = Journal, CreateDirectories = true, Overwrite = overwrite };
        await CutAsync(server, client => client.UploadFilesAsync(files.ToAsyncEnumerable(), options), sessions);
        Assert.That(server.Store.Temporaries, Has.Count.EqualTo(1), "the beginning of the large one is kept");
        var there = server.Store.Files.Count - 1;
        Assert.That(there, Is.GreaterThan(0));
        server.Ranges.Clear();
        files.Reverse();

        await using var client = server.Client(sessions);
        var result = await client.UploadFilesAsync(files.ToAsyncEnumerable(), options with { Resume = true }).Soon();
        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo(((long)(Small + 1 - there), (long)there, 0L)));
        Assert.That(Moved(server), Is.LessThan(Large - (6 << 20)));
        Assert.That(server.Store["/there/large"]!.Content.AsSpan().SequenceEqual(_large));
        for (var i = 0; i < Small; i++)
            Assert.That(server.Store[$"/there/{i % 3}/{i}"]!.Content.AsSpan().SequenceEqual(Samples.Bytes(1000 + i, i)), $"{i}");
        Assert.That(server.Store.Temporaries, Is.Empty);
        Assert.That(File.Exists(Journal), Is.False, "there is nothing left to continue");
    }

    [Test]
    public async Task Downloads_fetch_again_only_what_is_missing_and_a_large_file_goes_on([Values(1, 4)] int sessions,
        [Values] OverwriteMode overwrite)
    {
        var server = new SegmentServer { Time = new SwiftTime() };
        for (var i = 0; i < Small; i++) server.Store.AddFile($"/there/{i}", Samples.Bytes(1000 + i, i), Samples.Time);
        server.Store.AddFile("/there/large", _large, Samples.Time);
        List<FileDownload> files = [.. Enumerable.Range(0, Small).Select(i => new FileDownload($"/there/{i}", _local[$"to/{i % 3}/{i}"]))];
        files.Insert(Small / 3, new("/there/large", _local["to/large"]));
        var options = new FilesOptions { Journal = Journal, CreateDirectories = true, Overwrite = overwrite };
        await CutAsync(server, client => client.DownloadFilesAsync(files.ToAsyncEnumerable(), options), sessions);
        var there = Directory.GetFiles(_local["to"], "*", SearchOption.AllDirectories).Length - 1;
        Assert.That(there, Is.GreaterThan(0));
        server.Ranges.Clear();
        files.Reverse();

        await using var client = server.Client(sessions);
        var result = await client.DownloadFilesAsync(files.ToAsyncEnumerable(), options with { Resume = true }).Soon();
        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo(((long)(Small + 1 - there), (long)there, 0L)));
        Assert.That(Moved(server), Is.LessThan(Large - (6 << 20)));
        Assert.That(_local.Read("to/large").AsSpan().SequenceEqual(_large));
        for (var i = 0; i < Small; i++)
            Assert.That(_local.Read($"to/{i % 3}/{i}").AsSpan().SequenceEqual(Samples.Bytes(1000 + i, i)), $"{i}");
        Assert.That(Directory.GetFiles(_local["to"], "*", SearchOption.AllDirectories), Has.Length.EqualTo(Small + 1));
        Assert.That(File.Exists(Journal), Is.False);
    }

    [Test]
    public async Task A_file_that_has_changed_since_replaces_what_the_job_has_put_there_and_nothing_else([Values] bool upload)
    {
        var store = new MemoryStore();
        await using var client = new MemoryTransferClient(store);
        string[] names = ["mine", "other"];
        foreach (var name in names) Plant(name, [1, 2, 3], Samples.Time);
        PlantAt("other", [9]);
        // It fails for the one that is there, and keeps its journal.
        Assert.That(await RunAsync(resume: false), Is.EqualTo((1L, 0L, 1L)));

        Plant("mine", [4, 5, 6, 7], Samples.Time.AddHours(1));
        Assert.That(await RunAsync(resume: true), Is.EqualTo((1L, 0L, 1L)));
        Assert.That(At("mine"), Is.EqualTo(new byte[] { 4, 5, 6, 7 }));
        Assert.That(At("other"), Is.EqualTo(new byte[] { 9 }));

        async Task<(long, long, long)> RunAsync(bool resume)
        {
            var options = new FilesOptions { Journal = Journal, Resume = resume };
            var result = upload
                ? await client.UploadFilesAsync(names.Select(name => new FileUpload(_local[name], "/" + name)).ToAsyncEnumerable(),
                    options).Soon()
                : await client.DownloadFilesAsync(names.Select(name => new FileDownload("/" + name, _local[name])).ToAsyncEnumerable(),
                    options).Soon();
            return (result.Files, result.Skipped, result.Failed);
        }

        void Plant(string name, byte[] content, DateTimeOffset time)
        {
            if (upload) File.SetLastWriteTimeUtc(_local.Add(name, content), time.UtcDateTime);
            else store.AddFile("/" + name, content, time);
        }

        void PlantAt(string name, byte[] content)
        {
            if (upload) store.AddFile("/" + name, content);
            else _local.Add(name, content);
        }

        byte[] At(string name) => upload ? store["/" + name]!.Content : _local.Read(name);
    }

    [Test]
    public async Task Another_source_for_the_same_target_is_not_taken_for_the_one_that_was_sent()
    {
        var store = new MemoryStore();
        await using var client = new MemoryTransferClient(store);
        // The lengths and times are the same.
        foreach (var (name, content) in new[] { ("a/f", (byte)1), ("b/f", (byte)2) })
        {
            File.SetLastWriteTimeUtc(_local.Add(name, [content]),
                Samples.Time.UtcDateTime);
        }

        var options = new FilesOptions { Journal = Journal, Overwrite = OverwriteMode.Always };
        await SendAsync(options, _local["a/f"], _local["absent"]);
        Assert.That(File.Exists(Journal), "what failed is left to be done");
        await SendAsync(options with { Resume = true }, _local["b/f"]);
        Assert.That(store["/f"]!.Content, Is.EqualTo(new byte[] { 2 }));

        Task SendAsync(FilesOptions how, params string[] files) =>
            client.UploadFilesAsync(files.Select(file => new FileUpload(file, "/")).ToAsyncEnumerable(), how).Soon();
    }

    [Test]
    public async Task Unfinished_files_of_a_run_that_was_killed_are_deleted_by_the_next_one_however_small_they_are([Values] bool resume)
    {
        var store = new MemoryStore();
        await using var client = new MemoryTransferClient(store);
        var names = new TemporaryNames();
        string[] left = ["/there/" + names.Next(), "/there/" + names.Next()];
        _local.Add("f", [1]);
        using (var killed = JobJournal.Open(Journal, "upload_files local files to memory://host/", names, resume: false, namesAll: true,
            NullLogger.Instance))
        {
            foreach (var (path, i) in left.Select((path, i) => (path, i)))
            {
                new JournaledFile(killed, $"{i}",
                SourceStamp.Of(1, Samples.Time), inRanges: true).Began(path);
            }
        }
        foreach (var path in left) store.AddFile(path, [1]);

        var result = await client.UploadFilesAsync(new[] { new FileUpload(_local["f"], "/there/f") }.ToAsyncEnumerable(),
            new FilesOptions { Journal = Journal, Resume = resume }).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 0L)));
        Assert.That(store.Files, Is.EqualTo(new[] { "/there/f" }));
    }

    [Test]
    public void What_has_arrived_is_not_remembered_as_unfinished()
    {
        var names = new TemporaryNames();
        using (var first = JobJournal.Open(Journal, "job", names, resume: false, namesAll: true, NullLogger.Instance))
        {
            var file = new JournaledFile(first, "f", SourceStamp.Of(1, Samples.Time), inRanges: true);
            file.Began("/" + names.Next());
            file.Done();
        }
        using var next = JobJournal.Open(Journal, "job", new TemporaryNames(), resume: true, namesAll: true, NullLogger.Instance);
        Assert.That(next.Abandoned(), Is.Empty);
        Assert.That(next.FinishedAs("f"), Is.EqualTo(SourceStamp.Of(1, Samples.Time)));
    }

    // The network is gone once most of the large file has gone through it.
    private static async Task CutAsync(SegmentServer server, Func<TransferClient, Task> run, int sessions)
    {
        var moved = 0L;
        server.BeforeChunk = (item, _) =>
        {
            var most =
                item.Path.EndsWith("large", StringComparison.Ordinal) ? Interlocked.Add(ref moved, 64 << 10) : Interlocked.Read(ref moved);
            return most > 18 << 20 ? throw new TransferConnectionException(TransferError.Lost, "scripted: no network") : Task.CompletedTask;
        };
        await using (var client = server.Client(sessions)) await run(client).Soon();
        server.BeforeChunk = (_, _) => Task.CompletedTask;
    }

    private static long Moved(SegmentServer server)
    {
        lock (server.Ranges) return server.Ranges.Sum(range => range.End - range.Start);
    }
}
