namespace Transfer.Tests.Engine;

[Category(Categories.Slow)]
public sealed class CancellationTests
{
    private static readonly string[] Operations =
        ["open", "list", "stat", "mkdir", "upload", "uploaded", "set", "move", "download", "downloaded"];

    [Test]
    public async Task Whenever_an_upload_is_cancelled_each_target_is_old_or_new_and_nothing_is_left([Range(1, 25)] int seed)
    {
        using var local = new TempFolder();
        var store = new MemoryStore();
        for (var i = 0; i < 40; i++)
        {
            local.Add($"d{i % 5}/f{i}", Samples.Bytes(6000, 100 + i));
            if (i % 2 == 0) store.AddFile($"/t/d{i % 5}/f{i}", Samples.Bytes(50, i));
        }
        using var cancel = CancelSomewhere(store, seed);
        await using (var client = new MemoryTransferClient(store, new() { MaxSessions = 1 + seed % 4 }))
        {
            await CheckAsync(client.UploadDirectoryAsync(local.Path, "/t", new() { Overwrite = OverwriteMode.Always },
                cancellationToken: cancel.Token), cancel.Token);
            Assert.That(store.Temporaries, Is.Empty);
            Assert.That(await client.GetEntryAsync("/").Soon(), Is.Not.Null, "no session was lost to the pool");
        }
        foreach (var file in store.Files)
        {
            var i = int.Parse(file[(file.LastIndexOf('f') + 1)..], System.Globalization.CultureInfo.InvariantCulture);
            var content = store[file]!.Content;
            var old = i % 2 == 0 && content.AsSpan().SequenceEqual(Samples.Bytes(50, i));
            Assert.That(old || content.AsSpan().SequenceEqual(Samples.Bytes(6000, 100 + i)), file);
        }
    }

    [Test]
    public async Task Whenever_a_download_is_cancelled_each_target_is_old_or_new_and_nothing_is_left([Range(1, 25)] int seed)
    {
        using var local = new TempFolder();
        var store = new MemoryStore();
        for (var i = 0; i < 40; i++)
        {
            store.AddFile($"/s/d{i % 5}/f{i}", Samples.Bytes(6000, 100 + i));
            if (i % 2 == 0) local.Add($"d{i % 5}/f{i}", Samples.Bytes(50, i));
        }
        using var cancel = CancelSomewhere(store, seed);
        await using (var client = new MemoryTransferClient(store, new() { MaxSessions = 1 + seed % 4 }))
        {
            await CheckAsync(client.DownloadDirectoryAsync("/s", local.Path, new() { Overwrite = OverwriteMode.Always },
                cancellationToken: cancel.Token), cancel.Token);
        }

        foreach (var file in local.Files)
        {
            var i = int.Parse(file[(file.LastIndexOf('f') + 1)..], System.Globalization.CultureInfo.InvariantCulture);
            var content = local.Read(file);
            var old = i % 2 == 0 && content.AsSpan().SequenceEqual(Samples.Bytes(50, i));
            Assert.That(old || content.AsSpan().SequenceEqual(Samples.Bytes(6000, 100 + i)), file);
        }
    }

    [Test]
    public async Task Whatever_is_lost_on_the_way_each_file_is_there_whole_or_told_of([Range(1, 20)] int seed)
    {
        using var local = new TempFolder();
        var store = new MemoryStore();
        var random = new Random(seed);
        for (var i = 0; i < 60; i++) local.Add($"d{i % 5}/f{i}", Samples.Bytes(5000, i));
        for (var i = 0; i < 6; i++)
        {
            var operation = Operations[random.Next(2, 8)];
            store.Faults.On(operation, new Fault { LoseBefore = i % 2 == 0, LoseAfter = i % 2 == 1 }, random.Next(1, 60));
        }
        store.Faults.CutAtByte(random.Next(300_000));
        await using var client = new MemoryTransferClient(store, new() { MaxSessions = 3 });

        var result = await client.UploadDirectoryAsync(local.Path, "/t").Soon();

        // Seven losses in all: they cost a file its life only when three of them hit the same one.
        Assert.That(result.Files + result.Failed, Is.EqualTo(60));
        Assert.That(result.Failed, Is.LessThanOrEqualTo(2));
        Assert.That(result.Failures.Select(item => item.Error!.Error), Is.All.EqualTo(TransferError.Lost));
        var failed = result.Failures.Select(item => "/t/" + item.Path).ToHashSet();
        for (var i = 0; i < 60; i++)
        {
            var path = $"/t/d{i % 5}/f{i}";
            var arrived = store[path]?.Content.AsSpan().SequenceEqual(Samples.Bytes(5000, i));
            Assert.That(arrived, failed.Contains(path) ? Is.Null.Or.True : Is.True, path);
        }
        Assert.That(store.Temporaries, Is.Empty);
    }

    [Test]
    public async Task The_callers_token_is_in_the_exception_whatever_was_going_on()
    {
        var store = new MemoryStore();
        using var local = new TempFolder();
        await using var client = new MemoryTransferClient(store);
        using var cancel = new CancellationTokenSource();
        cancel.Cancel();
        var ct = cancel.Token;
        Task[] all =
        [
            client.ConnectAsync(ct).AsTask(), client.GetEntryAsync("/", ct).AsTask(),
            client.CreateDirectoryAsync("/d", cancellationToken: ct).AsTask(),
            client.DeleteAsync("/d", cancellationToken: ct).AsTask(), client.MoveAsync("/a", "/b", cancellationToken: ct).AsTask(),
            client.UploadAsync(new MemoryStream(), "/f", cancellationToken: ct),
            client.DownloadAsync("/f", new MemoryStream(), cancellationToken: ct),
            client.UploadDirectoryAsync(local.Path, "/t", cancellationToken: ct),
            client.DownloadDirectoryAsync("/", local.Path, cancellationToken: ct),
            client.OpenReadAsync("/f", cancellationToken: ct).AsTask(), client.OpenWriteAsync("/f", cancellationToken: ct).AsTask(),
            client.CopyFileAsync("/a", client, "/b", cancellationToken: ct),
            client.ListAsync("/", cancellationToken: ct).ToListAsync(CancellationToken.None).AsTask(),
        ];
        foreach (var one in all) Assert.That((await one.Failure<OperationCanceledException>()).CancellationToken, Is.EqualTo(ct));
        Assert.That(store.Opened, Is.Zero);
    }

    [Test]
    public async Task Disposing_the_client_ends_what_is_running_and_cleans_up()
    {
        var store = new MemoryStore();
        var client = new MemoryTransferClient(store);
        var started = new TaskCompletionSource();
        store.Faults.On("uploaded", new Fault { Hold = async ct => { started.SetResult(); await Task.Delay(-1, ct); } });
        var upload = client.UploadAsync(new MemoryStream([1]), "/f");
        await started.Task.Soon();
        await client.DisposeAsync().AsTask().Soon();
        await upload.Failure<ObjectDisposedException>();
        Assert.That(store.Files, Is.Empty);
        Assert.That(async () => await client.GetEntryAsync("/"), Throws.InstanceOf<ObjectDisposedException>());
        await client.DisposeAsync();
    }

    // At the nth of all operations: somewhere in the planning, the sending, the renaming, or (sometimes) never.
    private static CancellationTokenSource CancelSomewhere(MemoryStore store, int seed)
    {
        var cancel = new CancellationTokenSource();
        var random = new Random(seed);
        store.Faults.On(Operations[seed % Operations.Length], new Fault { Hold = _ => { cancel.Cancel(); return Task.CompletedTask; } },
            random.Next(1, 20));
        return cancel;
    }

    private static async Task CheckAsync(Task<JobResult> job, CancellationToken ct)
    {
        try
        {
            var result = await job.Soon();
            Assert.That((result.Files, result.Failed), Is.EqualTo((40L, 0L)));
        }
        catch (OperationCanceledException e)
        {
            Assert.That(e.CancellationToken, Is.EqualTo(ct));
        }
    }
}
