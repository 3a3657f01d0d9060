namespace Transfer.Tests.Engine;

/// <summary>A client's rate limit and pause, whatever moves.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class FlowTests
{
    private const int Rate = 100_000;

    private readonly MemoryStore _store = new();
    private readonly ManualTime _time = new();

    [Test]
    public async Task A_folder_takes_its_bytes_at_the_rate_over_all_sessions_both_ways()
    {
        using var local = new TempFolder();
        for (var i = 0; i < 30; i++) local.Add($"f{i}", Samples.Bytes(i % 10 == 0 ? 60_000 : 11_000, i));
        for (var i = 0; i < 30; i++) _store.AddFile($"/s/f{i}", Samples.Bytes(i % 10 == 0 ? 60_000 : 11_000, i));
        using var target = new TempFolder();
        await using var client = Limited();

        var both = Task.WhenAll(client.UploadDirectoryAsync(local.Path, "/t"), client.DownloadDirectoryAsync("/s", target.Path));
        await TurnAsync(both);

        Assert.That((await both).Sum(result => result.Files), Is.EqualTo(60));
        Assert.That(_time.Elapsed, Is.GreaterThanOrEqualTo(Least(2 * (3 * 60_000 + 27 * 11_000))));
        for (var i = 0; i < 30; i++)
        {
            var content = Samples.Bytes(i % 10 == 0 ? 60_000 : 11_000, i);
            Assert.That(_store[$"/t/f{i}"]!.Content.AsSpan().SequenceEqual(content) && target.Read($"f{i}").AsSpan().SequenceEqual(content),
                $"f{i}");
        }
    }

    [Test]
    public async Task Streams_count_too()
    {
        var bytes = Samples.Bytes(300_000);
        await using var client = Limited();
        var writing = Task.Run(async () =>
        {
            await using var stream = await client.OpenWriteAsync("/f");
            await stream.WriteAsync(bytes);
            await stream.CommitAsync();
        });
        await TurnAsync(writing);
        var written = _time.Elapsed;
        Assert.That(written, Is.GreaterThanOrEqualTo(Least(300_000)));

        var reading = Task.Run(async () =>
        {
            await using var stream = await client.OpenReadAsync("/f", new() { Offset = 100_000 });
            using var copy = new MemoryStream();
            await stream.CopyToAsync(copy);
            return copy.ToArray();
        });
        await TurnAsync(reading);
        Assert.That((await reading).AsSpan().SequenceEqual(bytes.AsSpan(100_000)));
        Assert.That(_time.Elapsed - written, Is.GreaterThanOrEqualTo(Least(200_000)));
    }

    [TestCase(0L)]
    [TestCase(-1L)]
    public void Less_than_a_byte_a_second_is_refused(long rate) =>
        Assert.That(() => new MemoryTransferClient(_store, new() { MaxBytesPerSecond = rate }),
            Throws.InstanceOf<ArgumentOutOfRangeException>());

    [Test]
    public async Task Cancelled_at_the_limit_a_transfer_ends_at_once_and_leaves_nothing()
    {
        await using var client = Limited();
        using var cancel = new CancellationTokenSource();
        var upload = client.UploadAsync(new MemoryStream(Samples.Bytes(1_000_000)), "/f", cancellationToken: cancel.Token);
        await Eventually.TrueAsync(() => _store.Temporaries.Count == 1);
        cancel.Cancel();
        Assert.That((await upload.Failure<OperationCanceledException>()).CancellationToken, Is.EqualTo(cancel.Token));
        Assert.That(_store.Files, Is.Empty);
    }

    [Test]
    public async Task While_paused_no_file_begins_and_other_operations_go_on()
    {
        using var local = new TempFolder();
        for (var i = 0; i < 20; i++) local.Add($"f{i}", Samples.Bytes(5000, i));
        await using var client = new MemoryTransferClient(_store, new() { MaxSessions = 2 });
        await using var upload = Paused(() => client.StartUploadDirectory(local.Path, "/t"));
        await Eventually.TrueAsync(() => _store["/t"] is not null);
        for (var i = 0; i < 100; i++) Assert.That(await client.GetEntryAsync("/t/f1").Soon(), Is.Null);
        Assert.That(_store.Files, Is.Empty);
        Assert.That((upload.IsPaused, upload.Completion.IsCompleted), Is.EqualTo((true, false)));

        upload.Resume();
        var result = await upload.Completion.Soon();
        Assert.That((result.Files, result.Failed, result.Retries), Is.EqualTo((20L, 0L, 0L)));
    }

    [Test]
    public async Task A_file_stands_still_where_it_is_and_goes_on_from_there()
    {
        var content = Samples.Bytes(1_000_000);
        _store.AddFile("/f", content);
        await using var client = new MemoryTransferClient(_store, new() { MaxSessions = 2 });
        using var target = new PausingStream();
        await using var download = client.StartDownload("/f", target);
        target.Job.SetResult(download);
        await Eventually.TrueAsync(() => target.Length > 0);
        for (var i = 0; i < 50; i++) await client.GetEntryAsync("/f").Soon();
        Assert.That(target.Length, Is.EqualTo(4096), "one buffer of the session's");

        download.Resume();
        Assert.That((await download.Completion.Soon()).Retries, Is.Zero);
        Assert.That(target.ToArray().AsSpan().SequenceEqual(content));
    }

    [Test]
    public async Task Other_jobs_of_the_client_go_on_while_one_is_paused_and_then_it_gets_their_sessions()
    {
        using var local = new TempFolder();
        for (var i = 0; i < 20; i++) local.Add($"f{i}", Samples.Bytes(5000, i));
        await using var client = new MemoryTransferClient(_store, new() { MaxSessions = 1 });
        await using var paused = Paused(() => client.StartUploadDirectory(local.Path, "/t"));
        Assert.That((await client.UploadDirectoryAsync(local.Path, "/u").Soon()).Files, Is.EqualTo(20));
        Assert.That(_store.Files, Has.None.StartsWith("/t/"));
        paused.Resume();
        Assert.That((await paused.Completion.Soon()).Files, Is.EqualTo(20));
        Assert.That(_store.Opened, Is.EqualTo(1));
    }

    [Test]
    public async Task Cancelled_while_paused_a_transfer_ends_and_leaves_nothing([Values] bool begun)
    {
        using var local = new TempFolder();
        local.Add("f", Samples.Bytes(100_000));
        await using var client = new MemoryTransferClient(_store);
        using var cancel = new CancellationTokenSource();
        var job = new TaskCompletionSource<TransferJob>();
        if (begun) _store.Faults.On("upload", new Fault { Hold = async _ => (await job.Task).Pause() });
        TransferJob Start() => client.StartUploadDirectory(local.Path, "/t", cancellationToken: cancel.Token);
        await using var upload = begun ? Start() : Paused(Start);
        job.SetResult(upload);
        await Eventually.TrueAsync(() => begun ? _store.Temporaries.Count == 1 : _store["/t"] is not null);
        cancel.Cancel();
        Assert.That((await upload.Completion.Failure<OperationCanceledException>()).CancellationToken, Is.EqualTo(cancel.Token));
        Assert.That(_store.Files, Is.Empty);
    }

    [Test]
    public async Task A_copy_that_is_paused_waits_however_long()
    {
        var target = new MemoryStore();
        _store.AddFile("/f", Samples.Bytes(200_000));
        await using var from = new MemoryTransferClient(_store, new() { TimeProvider = _time });
        await using var to = new MemoryTransferClient(target);
        var job = new TaskCompletionSource<TransferJob>();
        target.Faults.On("upload", new Fault { Hold = async _ => (await job.Task).Pause() });
        await using var copy = from.StartCopyFile("/f", to, "/g");
        job.SetResult(copy);
        await Eventually.TrueAsync(() => target.Temporaries.Count == 1);
        for (var i = 0; i < 20; i++)
        {
            _time.Advance(TimeSpan.FromMinutes(10));
            await Task.Yield();
        }
        copy.Resume();
        Assert.That((await copy.Completion.Soon()).Retries, Is.Zero);
        Assert.That(target["/g"]!.Content.AsSpan().SequenceEqual(Samples.Bytes(200_000)));
    }

    [Test]
    public async Task Idle_sessions_outlive_a_pause_and_not_their_life_after_it()
    {
        using var local = new TempFolder();
        local.Add("f", [1]);
        await using var client = new MemoryTransferClient(_store, new() { MaxSessions = 1, TimeProvider = _time });
        await using var job = Paused(() => client.StartUploadDirectory(local.Path, "/t"));
        await client.ConnectAsync();
        _time.Advance(TimeSpan.FromHours(1));
        await client.ConnectAsync();
        Assert.That(_store.Opened, Is.EqualTo(1));
        job.Resume();
        await job.Completion.Soon();
        _time.Advance(TimeSpan.FromHours(1));
        await client.ConnectAsync();
        Assert.That(_store.Opened, Is.EqualTo(2));
    }

    [Test]
    public async Task Pausing_and_resuming_twice_is_as_once()
    {
        await using var client = new MemoryTransferClient(_store);
        await using var job = Paused(() => client.StartUpload(new MemoryStream([1]), "/f"));
        job.Pause();
        Assert.That(job.IsPaused);
        job.Resume();
        job.Resume();
        Assert.That(job.IsPaused, Is.False);
        Assert.That((await job.Completion.Soon()).Files, Is.EqualTo(1));
    }

    [Test]
    public async Task The_pace_of_a_job_without_a_client_is_held_by_its_pause()
    {
        var goOn = new TaskCompletionSource();
        await using var job = TransferJob.Start(async context =>
        {
            await goOn.Task;
            await ContentPace.Of(null, context, _time).AdmitAsync(1000, context.CancellationToken);
            return new JobResult();
        });
        job.Pause();
        goOn.SetResult();
        Assert.That(job.Completion.IsCompleted, Is.False);
        job.Resume();
        await job.Completion.Soon();
    }

    // A job that is paused before there is a session.
    private TransferJob Paused(Func<TransferJob> start)
    {
        var paused = new TaskCompletionSource();
        // Every session's: the second would begin a file beside the first.
        for (var i = 1; i <= 8; i++) _store.Faults.On("open", new Fault { Hold = _ => paused.Task }, nth: i);
        var job = start();
        job.Pause();
        paused.SetResult();
        return job;
    }

    private MemoryTransferClient Limited() => new(_store, new() { MaxSessions = 4, MaxBytesPerSecond = Rate, TimeProvider = _time });

    // A limit's own burst, and what was taken last need not be waited for.
    private static TimeSpan Least(long bytes) => TimeSpan.FromSeconds((double)(bytes - Rate / 5) / Rate);

    private async Task TurnAsync(Task until)
    {
        while (!until.IsCompleted)
        {
            _time.Advance(TimeSpan.FromMilliseconds(5));
            await Task.Yield();
        }
        await until;
    }
}
