namespace Transfer.Tests.Engine;

/// <summary>A client's rate limit and pause, whatever moves.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class FlowTests
{
    private const int Rate = 100_000;

    private readonly MemoryStore _store = new();
    private readonly ManualTime _time = new();
    private readonly TransferPause _pause = new();

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
        Assert.That(_time.GetTimestamp(), Is.GreaterThanOrEqualTo(Least(2 * (3 * 60_000 + 27 * 11_000))));
        for (var i = 0; i < 30; i++)
        {
            var content = Samples.Bytes(i % 10 == 0 ? 60_000 : 11_000, i);
            Assert.That(_store[$"/t/f{i}"]!.Content.AsSpan().SequenceEqual(content) && target.Read($"f{i}").AsSpan().SequenceEqual(content), $"f{i}");
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
        var written = _time.GetTimestamp();
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
        Assert.That(_time.GetTimestamp() - written, Is.GreaterThanOrEqualTo(Least(200_000)));
    }

    [TestCase(0L)]
    [TestCase(-1L)]
    public void Less_than_a_byte_a_second_is_refused(long rate) =>
        Assert.That(() => new MemoryTransferClient(_store, new() { MaxBytesPerSecond = rate }), Throws.InstanceOf<ArgumentOutOfRangeException>());

    [Test]
    public async Task Cancelled_at_the_limit_a_transfer_ends_at_once_and_leaves_nothing()
    {
        await using var client = Limited();
        using var cancel = new CancellationTokenSource();
        var upload = client.UploadAsync(new MemoryStream(Samples.Bytes(1_000_000)), "/f", cancellationToken: cancel.Token);
        await Waiting.Until(() => _store.Temporaries.Count == 1);
        cancel.Cancel();
        Assert.That((await upload.Failure<OperationCanceledException>()).CancellationToken, Is.EqualTo(cancel.Token));
        Assert.That(_store.Files, Is.Empty);
    }

    [Test]
    public async Task While_paused_no_file_begins_and_other_operations_go_on()
    {
        using var local = new TempFolder();
        for (var i = 0; i < 20; i++) local.Add($"f{i}", Samples.Bytes(5000, i));
        await using var client = new MemoryTransferClient(_store, new() { MaxSessions = 2, Pause = _pause });
        _pause.Pause();
        var upload = client.UploadDirectoryAsync(local.Path, "/t");
        await Waiting.Until(() => _store["/t"] is not null);
        for (var i = 0; i < 100; i++) Assert.That(await client.GetEntryAsync("/t/f1").Soon(), Is.Null);
        Assert.That(_store.Files, Is.Empty);
        Assert.That(upload.IsCompleted, Is.False);

        _pause.Resume();
        var result = await upload.Soon();
        Assert.That((result.Files, result.Failed, result.Retries), Is.EqualTo((20L, 0L, 0L)));
    }

    [Test]
    public async Task A_file_stands_still_where_it_is_and_goes_on_from_there()
    {
        var content = Samples.Bytes(1_000_000);
        _store.AddFile("/f", content);
        await using var client = new MemoryTransferClient(_store, new() { MaxSessions = 2, Pause = _pause });
        using var target = new PausingStream(_pause);
        var download = client.DownloadAsync("/f", target);
        await Waiting.Until(() => target.Length > 0);
        for (var i = 0; i < 50; i++) await client.GetEntryAsync("/f").Soon();
        Assert.That(target.Length, Is.EqualTo(4096), "one buffer of the session's");

        _pause.Resume();
        Assert.That((await download.Soon()).Attempts, Is.EqualTo(1));
        Assert.That(target.ToArray().AsSpan().SequenceEqual(content));
    }

    [Test]
    public async Task Cancelled_while_paused_a_transfer_ends_and_leaves_nothing([Values] bool begun)
    {
        using var local = new TempFolder();
        local.Add("f", Samples.Bytes(100_000));
        await using var client = new MemoryTransferClient(_store, new() { Pause = _pause });
        using var cancel = new CancellationTokenSource();
        if (begun) _store.Faults.On("upload", new Fault { Hold = _ => { _pause.Pause(); return Task.CompletedTask; } });
        else _pause.Pause();
        var upload = client.UploadDirectoryAsync(local.Path, "/t", cancellationToken: cancel.Token);
        await Waiting.Until(() => begun ? _store.Temporaries.Count == 1 : _store["/t"] is not null);
        cancel.Cancel();
        Assert.That((await upload.Failure<OperationCanceledException>()).CancellationToken, Is.EqualTo(cancel.Token));
        Assert.That(_store.Files, Is.Empty);
    }

    [Test]
    public async Task A_copy_whose_source_is_paused_waits_however_long()
    {
        var target = new MemoryStore();
        _store.AddFile("/f", Samples.Bytes(200_000));
        await using var from = new MemoryTransferClient(_store, new() { TimeProvider = _time, Pause = _pause });
        await using var to = new MemoryTransferClient(target);
        _pause.Pause();
        var copy = from.CopyFileAsync("/f", to, "/g");
        await Waiting.Until(() => target.Temporaries.Count == 1);
        for (var i = 0; i < 20; i++)
        {
            _time.Advance(TimeSpan.FromMinutes(10));
            await Task.Yield();
        }
        _pause.Resume();
        Assert.That((await copy.Soon()).Attempts, Is.EqualTo(1));
        Assert.That(target["/g"]!.Content.AsSpan().SequenceEqual(Samples.Bytes(200_000)));
    }

    [Test]
    public async Task Idle_sessions_outlive_a_pause_and_not_their_life_after_it()
    {
        await using var client = new MemoryTransferClient(_store, new() { TimeProvider = _time, Pause = _pause });
        await client.ConnectAsync();
        _pause.Pause();
        _time.Advance(TimeSpan.FromHours(1));
        await client.ConnectAsync();
        Assert.That(_store.Opened, Is.EqualTo(1));
        _pause.Resume();
        _time.Advance(TimeSpan.FromHours(1));
        await client.ConnectAsync();
        Assert.That(_store.Opened, Is.EqualTo(2));
    }

    [Test]
    public void Pausing_and_resuming_twice_is_as_once()
    {
        _pause.Pause();
        _pause.Pause();
        Assert.That(_pause.IsPaused, Is.True);
        _pause.Resume();
        _pause.Resume();
        Assert.That(_pause.IsPaused, Is.False);
    }

    private MemoryTransferClient Limited() => new(_store, new() { MaxSessions = 4, MaxBytesPerSecond = Rate, TimeProvider = _time });

    // A limit's own burst, and what was taken last need not be waited for.
    private static long Least(long bytes) => TimeSpan.FromSeconds((double)(bytes - Rate / 5) / Rate).Ticks;

    private async Task TurnAsync(Task until)
    {
        while (!until.IsCompleted)
        {
            _time.Advance(TimeSpan.FromMilliseconds(5));
            await Task.Yield();
        }
        await until;
    }

    private sealed class PausingStream(TransferPause pause) : MemoryStream
    {
        public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            if (Length == 0) pause.Pause();
            await base.WriteAsync(buffer, cancellationToken);
        }
    }
}
