using Transfer.Engine;

namespace Transfer.Tests.Engine;

public sealed class JobItemsTests
{
    private MemoryStore _store = null!;
    private TempFolder _local = null!;
    private MemoryTransferClient _client = null!;

    [SetUp]
    public void SetUp()
    {
        _local = new TempFolder();
        _store = new MemoryStore();
        _client = new MemoryTransferClient(_store);
    }

    [TearDown]
    public async Task TearDown()
    {
        await _client.DisposeAsync();
        _local.Dispose();
    }

    [Test]
    public async Task A_loop_gets_every_item_and_then_the_counts()
    {
        for (var i = 0; i < 100; i++) _local.Add($"d{i % 3}/f{i}", [1]);
        _store.Faults.On("upload", Fault.Refusal(TransferError.Denied), path: path => path == "/t/d1/f7");
        var items = Upload();
        Assert.That(() => items.Result, Throws.InvalidOperationException);
        var seen = await ReadAsync(items).Soon();
        Assert.That(seen.Select(item => item.Path), Is.EquivalentTo(_local.Files));
        Assert.That(seen.Single(item => item.Error is not null).Path, Is.EqualTo("d1/f7"));
        Assert.That((items.Result.Files, items.Result.Failed), Is.EqualTo((99L, 1L)));
    }

    [Test]
    public async Task Nothing_begins_before_the_loop_does_and_a_job_runs_once()
    {
        _local.Add("f", [1]);
        var items = Upload();
        Assert.That(_store.Files, Is.Empty);
        await ReadAsync(items).Soon();
        Assert.That(() => items.GetAsyncEnumerator(), Throws.InvalidOperationException);
    }

    [Test]
    public async Task Items_come_while_the_job_runs()
    {
        _local.Add("a", [1]);
        _local.Add("b", [1]);
        var goOn = new TaskCompletionSource();
        _store.Faults.On("upload", new Fault { Hold = _ => goOn.Task }, path: path => path.EndsWith("/b", StringComparison.Ordinal));
        await using var items = Upload().GetAsyncEnumerator();
        Assert.That(await items.MoveNextAsync().Soon());
        Assert.That(items.Current.Path, Is.EqualTo("a"));
        goOn.SetResult();
        Assert.That(await items.MoveNextAsync().Soon());
        Assert.That(items.Current.Path, Is.EqualTo("b"));
        Assert.That(await items.MoveNextAsync().Soon(), Is.False);
    }

    [Test]
    public async Task Who_leaves_the_loop_early_cancels_the_job_and_nothing_half_stays()
    {
        for (var i = 0; i < 500; i++) _local.Add($"f{i:000}", Samples.Bytes(5000));
        var items = Upload();
        await Task.Run(async () =>
        {
            await foreach (var item in items) break;
        }).Soon();
        Assert.That(_store.Files, Has.Count.LessThan(500).And.None.Contains(".transfer-"));
        Assert.That(() => items.Result, Throws.InvalidOperationException);
        var there = _store.Files.Count;
        await _client.CreateDirectoryAsync("/x");
        Assert.That(_store.Files, Has.Count.EqualTo(there));
    }

    [Test]
    public async Task The_token_of_the_loop_cancels_the_job()
    {
        for (var i = 0; i < 50; i++) _local.Add($"f{i}", [1]);
        using var cancel = new CancellationTokenSource();
        _store.Faults.On("upload", new Fault { Hold = async ct => { await cancel.CancelAsync(); await Task.Delay(Timeout.Infinite, ct); } }, nth: 20);
        var error = await Task.Run(async () =>
        {
            await foreach (var item in Upload().WithCancellation(cancel.Token)) Assert.That(item.Error, Is.Null);
        }).Failure<OperationCanceledException>();
        Assert.That(error.CancellationToken, Is.EqualTo(cancel.Token));
    }

    [Test]
    public async Task What_the_job_as_a_whole_throws_comes_out_of_the_loop()
    {
        var error = await ReadAsync(new JobItems((items, ct) => _client.DownloadDirectoryAsync("/no", _local.Path, new() { Items = items }, cancellationToken: ct))).Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.NotFound));
    }

    [Test]
    public async Task Items_that_nobody_reads_hold_the_job_back_and_no_session()
    {
        const int Count = 30_000;
        await using var client = new MemoryTransferClient(_store, open: _ => new HugeSession(Count));
        var line = new ItemLine(100);
        var job = EndAsync(line, client.DownloadDirectoryAsync("/huge", _local.Path, new() { Items = line, Overwrite = OverwriteMode.Always }));
        await Waiting.Until(() => line.HoldsBack);
        Assert.That(line.Unread, Is.GreaterThanOrEqualTo(100));
        await client.GetEntryAsync("/huge").Soon();
        var read = 0;
        while (await line.ReadAsync().Soon() is not null)
        {
            read++;
            // What was planned when it had to wait still comes.
            Assert.That(line.Unread, Is.LessThan(100 + FileLine.Capacity + 8 * 64));
        }
        Assert.That((read, (await job.Soon()).Failed), Is.EqualTo((Count, (long)Count)));
    }

    [Test]
    public async Task A_job_that_was_not_given_the_items_says_so()
    {
        _local.Add("f", [1]);
        var error = await ReadAsync(new JobItems((_, ct) => _client.UploadDirectoryAsync(_local.Path, "/t", cancellationToken: ct))).Failure<InvalidOperationException>();
        Assert.That(error.Message, Does.Contain("DirectoryJobOptions.Items"));
    }

    [Test]
    public async Task Items_that_are_wrapped_are_refused_for_they_could_not_hold_the_job_back()
    {
        _local.Add("f", [1]);
        var error = await ReadAsync(new JobItems((items, ct) => _client.UploadDirectoryAsync(_local.Path, "/t", new() { Items = new Counter(items.Report) }, cancellationToken: ct)))
            .Failure<InvalidOperationException>();
        Assert.That(error.Message, Does.Contain("themselves"));
    }

    [Test]
    public async Task One_job_takes_the_items_and_no_second_one()
    {
        _local.Add("f", [1]);
        var items = new JobItems(async (items, ct) =>
        {
            await _client.UploadDirectoryAsync(_local.Path, "/t", new() { Items = items }, cancellationToken: ct);
            return await _client.UploadDirectoryAsync(_local.Path, "/u", new() { Items = items }, cancellationToken: ct);
        });
        await ReadAsync(items).Failure<InvalidOperationException>();
    }

    private JobItems Upload() => new((items, ct) => _client.UploadDirectoryAsync(_local.Path, "/t", new() { Items = items }, cancellationToken: ct));

    private static async Task<JobResult> EndAsync(ItemLine line, Task<JobResult> job)
    {
        try
        {
            return await job;
        }
        finally
        {
            line.Complete();
        }
    }

    private static Task<List<ItemResult>> ReadAsync(JobItems items) => Task.Run(async () =>
    {
        var seen = new List<ItemResult>();
        await foreach (var item in items) seen.Add(item);
        return seen;
    });

    private sealed class Counter(Action<ItemResult> each) : IProgress<ItemResult>
    {
        public void Report(ItemResult value) => each(value);
    }
}
