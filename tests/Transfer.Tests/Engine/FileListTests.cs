using System.Runtime.CompilerServices;

namespace Transfer.Tests.Engine;

/// <summary>Jobs of files that are named one by one.</summary>
public sealed class FileListTests : MemoryFixture
{
    [Test]
    public async Task Files_are_uploaded_each_to_its_own_place_and_one_that_fails_stops_no_other()
    {
        for (var i = 0; i < 50; i++) Local.Add($"f{i}", Samples.Bytes(100 + i, i));
        Store.AddFile("/taken", [1]);
        var files = Enumerable.Range(0, 50).Select(i => new FileUpload(Local[$"f{i}"], i % 2 == 0 ? "/even/" : $"/odd/{i}")).ToList();
        files.Insert(10, new FileUpload(Local["absent"], "/absent"));
        files.Insert(20, new FileUpload(Local["f0"], "/taken"));
        var result = await Client.StartUploadFiles(files.ToAsyncEnumerable(), new() { CreateDirectories = true },
            readItems: true).TellAsync(Items).Soon();

        Assert.That((result.Files, result.Failed), Is.EqualTo((50L, 2L)));
        Assert.That(result.Failures.Select(item => (item.Path, item.Error!.Error)),
            Is.EquivalentTo(new[] { (Local["absent"], TransferError.NotFound), (Local["f0"], TransferError.Exists) }));
        Assert.That(Store["/taken"]!.Content, Is.EqualTo(new byte[] { 1 }));
        for (var i = 0; i < 50; i++)
            Assert.That(Store[i % 2 == 0 ? $"/even/f{i}" : $"/odd/{i}"]!.Content.AsSpan().SequenceEqual(Samples.Bytes(100 + i, i)), $"{i}");
        Assert.That(Items.Values, Has.Count.EqualTo(52));
    }

    [Test]
    public async Task Files_are_downloaded_each_to_its_own_place()
    {
        for (var i = 0; i < 50; i++) Store.AddFile($"/d/f{i}", Samples.Bytes(100 + i, i), Samples.Time);
        Local.Add("kept", [7]);
        var files = Enumerable.Range(0, 50).Select(
            i => new FileDownload($"/d/f{i}", i % 2 == 0 ? Local["even"] + Path.DirectorySeparatorChar : Local[$"odd{i}"])).ToList();
        files.Add(new FileDownload("/absent", Local["absent"]));
        files.Add(new FileDownload("/d/f1", Local["kept"]));
        var result = await Client.StartDownloadFiles(files.ToAsyncEnumerable(),
            new() { CreateDirectories = true, Overwrite = OverwriteMode.Skip }, readItems: true).TellAsync(Items).Soon();

        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo((50L, 1L, 1L)));
        Assert.That(result.Failures.Select(item => (item.Path, item.Error!.Error)),
            Is.EqualTo(new[] { ("/absent", TransferError.NotFound) }));
        for (var i = 0; i < 50; i++)
            Assert.That(Local.Read(i % 2 == 0 ? $"even/f{i}" : $"odd{i}").AsSpan().SequenceEqual(Samples.Bytes(100 + i, i)), $"{i}");
        Assert.That(Local.Read("kept"), Is.EqualTo(new byte[] { 7 }));
    }

    [Test]
    public async Task Files_are_deleted_and_those_that_are_not_there_are_told()
    {
        for (var i = 0; i < 1500; i++) Store.AddFile($"/d/f{i}", [1]);
        var paths = Enumerable.Range(0, 1500).Select(i => $"/d/f{i}").Append("/d/absent").ToAsyncEnumerable();
        var result = await Client.StartDeleteFiles(paths, readItems: true).TellAsync(Items).Soon();
        Assert.That((result.Deleted, result.Failed), Is.EqualTo((1500L, 1L)));
        Assert.That(result.Failures.Single().Path, Is.EqualTo("/d/absent"));
        Assert.That(Store.Files, Is.Empty);
        Assert.That(Items.Values, Has.Count.EqualTo(1501));
    }

    [Test]
    [Category(Categories.Slow)]
    public async Task More_files_are_asked_for_only_when_there_is_room()
    {
        Local.Add("f", [1]);
        var (asked, held) = (0, new TaskCompletionSource());
        // The only session: as long as it does not open, no file leaves the line.
        Store.Faults.On("open", new Fault { Hold = ct => held.Task.WaitAsync(ct) });
        await using var client = new MemoryTransferClient(Store, new() { MaxSessions = 1 });
        var job = client.UploadFilesAsync(EndlessAsync(), new() { Overwrite = OverwriteMode.Always });
        await Eventually.TrueAsync(() => Volatile.Read(ref asked) > Transfer.Engine.Files.FileLine.Capacity);
        var before = -1;
        await Eventually.TrueAsync(() => before == (before = Volatile.Read(ref asked)));
        Assert.That(before, Is.LessThan(Transfer.Engine.Files.FileLine.Capacity + 1000));
        held.SetResult();
        Assert.That((await job.Soon()).Files, Is.EqualTo(10_000));

        async IAsyncEnumerable<FileUpload> EndlessAsync([EnumeratorCancellation] CancellationToken ct = default)
        {
            for (var i = 0; i < 10_000; i++)
            {
                ct.ThrowIfCancellationRequested();
                Interlocked.Increment(ref asked);
                yield return new FileUpload(Local["f"], $"/f{i}");
                if (i % 100 == 0) await Task.Yield();
            }
        }
    }

    [Test]
    public async Task A_producer_that_stands_still_holds_no_session()
    {
        Local.Add("f", [1]);
        await using var client = new MemoryTransferClient(Store, new() { MaxSessions = 1 });
        var goOn = new TaskCompletionSource();
        var sent = new TaskCompletionSource();
        var job = client.StartUploadFiles(SlowAsync(), new(), readItems: true).TellAsync(new Told(() => sent.TrySetResult()));
        await sent.Task.Soon();
        await client.UploadFileAsync(Local["f"], "/other").Soon();
        goOn.SetResult();
        Assert.That((await job.Soon()).Files, Is.EqualTo(2));

        async IAsyncEnumerable<FileUpload> SlowAsync()
        {
            yield return new FileUpload(Local["f"], "/a");
            await goOn.Task;
            yield return new FileUpload(Local["f"], "/b");
        }
    }

    [Test]
    public async Task Sessions_are_opened_for_files_that_come_while_the_first_of_them_is_still_looked_at()
    {
        Local.Add("f", [1]);
        var looked = new TaskCompletionSource();
        await using var client = new MemoryTransferClient(Store, new() { MaxSessions = 4 });
        await client.PingAsync();
        Store.Faults.On("stat", new Fault { Hold = ct => looked.Task.WaitAsync(ct) });
        var files = Enumerable.Range(0, 100).Select(i => new FileUpload(Local["f"], $"/f{i}")).ToAsyncEnumerable();
        var job = client.UploadFilesAsync(files, new());
        await Eventually.TrueAsync(() => Store.Faults.Count("open") == 4);
        Assert.That(Store.Files, Is.Empty);
        looked.SetResult();
        Assert.That((await job.Soon()).Files, Is.EqualTo(100));
    }

    [Test]
    public async Task A_file_alone_opens_no_session_beside_its_own()
    {
        Local.Add("f", [1]);
        await using var client = new MemoryTransferClient(Store, new() { MaxSessions = 4 });
        var gone = new TaskCompletionSource();
        var job = client.StartUploadFiles(OneAsync(), new(), readItems: true).TellAsync(new Told(gone.SetResult));
        Assert.That((await job.Soon()).Files, Is.EqualTo(1));
        Assert.That(Store.Faults.Count("open"), Is.EqualTo(1));

        async IAsyncEnumerable<FileUpload> OneAsync()
        {
            yield return new FileUpload(Local["f"], "/f");
            await gone.Task;
        }
    }

    [Test]
    public async Task Without_a_connection_the_job_fails_and_not_each_file()
    {
        Local.Add("f", [1]);
        for (var i = 1; i <= 100; i++)
            Store.Faults.On("open", new Fault { Refuse = new TransferConnectionException(TransferError.Auth, "no") }, nth: i);
        var files = Enumerable.Range(0, 1000).Select(i => new FileUpload(Local["f"], $"/f{i}")).ToAsyncEnumerable();
        var error = await Client.StartUploadFiles(files, new(), readItems: true).TellAsync(Items).Failure<TransferException>();
        Assert.That((error.Error, Items.Values.Count), Is.EqualTo((TransferError.Auth, 0)));
        Assert.That(Store.Faults.Count("open"), Is.LessThan(20), "not once a file");
    }

    private sealed class Told(Action tell) : IProgress<ItemResult>
    {
        public void Report(ItemResult value) => tell();
    }
}
