using Transfer.Batch.Carriers.Exec;
using Transfer.Engine.Operations;

namespace Transfer.Tests.Engine;

/// <summary>The gentle way to end a folder's job: what is under way is finished, and nothing more begins.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class FinishTests : IDisposable
{
    private const int Files = 20;

    private readonly MemoryStore _store = new();
    private readonly TempFolder _local = new();
    private readonly TempFolder _state = new();
    private readonly CancellationTokenSource _finish = new();
    private readonly CancellationTokenSource _cancel = new();

    private Fault Finishing => new() { Hold = _ => { _finish.Cancel(); return Task.CompletedTask; } };

    private TransferJobContext Context(IProgress<ItemResult>? items = null) =>
        new(items: items, cancellationToken: _cancel.Token, stopping: _finish.Token);

    private DirectoryOptions Options => new() { Journal = _state["job.journal"] };

    public void Dispose()
    {
        _finish.Dispose();
        _cancel.Dispose();
        _local.Dispose();
        _state.Dispose();
    }

    [Test]
    public async Task The_file_under_way_is_there_no_other_begins_and_resuming_sends_only_the_rest([Values("upload", "download",
        "copy")] string kind)
    {
        var target = new MemoryStore();
        for (var i = 0; i < Files; i++)
        {
            if (kind == "upload") _local.Add($"f{i}", Samples.Bytes(6000, i));
            else _store.AddFile($"/s/f{i}", Samples.Bytes(6000, i), Samples.Time);
        }
        var at = kind == "copy" ? target : _store;
        at.Faults.On(kind == "download" ? "downloaded" : "uploaded", Finishing, 5);
        await using var client = new MemoryTransferClient(_store, new() { MaxSessions = 1 });
        await using var other = new MemoryTransferClient(target, new() { MaxSessions = 1 }, "memory://other/");
        var items = new Collected<ItemResult>();

        var error = await RunAsync(Options, Context(items)).Failure<OperationCanceledException>();
        Assert.That(error.CancellationToken, Is.EqualTo(_finish.Token));
        Assert.That(Arrived(), Has.Count.EqualTo(5).And.None.EndsWith(".part"));
        Assert.That(items.Values.Select(item => item.Result?.Bytes), Is.EqualTo(Enumerable.Repeat(6000L, 5)));

        var rest = await RunAsync(Options with { Resume = true }, new()).Soon();
        Assert.That((rest.Files, rest.Skipped, rest.Failed), Is.EqualTo(((long)Files - 5, 5L, 0L)));
        Assert.That(Arrived(), Has.Count.EqualTo(Files));
        Assert.That(_state.Files, Is.Empty);

        Task<JobResult> RunAsync(DirectoryOptions options, TransferJobContext context) => kind switch
        {
            "upload" => FolderJobs.UploadAsync(client.Engine, _local.Path, "/t", options, context),
            "download" => FolderJobs.DownloadAsync(client.Engine, "/s", _local.Path, options, context),
            _ => CopyJobs.CopyDirectoryAsync(client.Engine, "/s", other.Engine, "/t", options, context),
        };

        IReadOnlyList<string> Arrived() => kind == "download" ? _local.Files : at.Files;
    }

    [Test]
    public async Task A_file_in_segments_is_finished_with_all_its_ranges_also_when_a_session_is_lost([Values] bool lost)
    {
        var server = new SegmentServer { Together = 2 };
        _local.Add("large", Samples.Bytes(8 << 20));
        server.BeforeChunk = (item, _) =>
        {
            if (!_finish.IsCancellationRequested && lost) server.Store.Faults.CutAtByte(3 << 20);
            _finish.Cancel();
            return Task.CompletedTask;
        };
        await using var client = server.Client(2);

        var result = await FolderJobs.UploadAsync(client.Engine, _local.Path, "/t", Options with { Segments = 2 }, Context()).Soon();
        Assert.That((result.Files, result.Retries), Is.EqualTo((1L, lost ? 1 : 0)), "nothing was left out, so that it ends as ever");
        Assert.That(server.Store["/t/large"]!.Content.AsSpan().SequenceEqual(Samples.Bytes(8 << 20)));
        Assert.That(server.Store.Files, Has.Count.EqualTo(1));
        Assert.That(_state.Files, Is.Empty);
    }

    [Test]
    public async Task What_waits_to_be_tried_again_ends()
    {
        var waits = new TaskCompletionSource();
        _local.Add("f", [1]);
        _store.Faults.On("upload", Fault.Refusal(TransferError.Lost));
        await using var client = new MemoryTransferClient(
            _store, new() { LoggerFactory = new LogEvents(["Requeued"], _ => waits.SetResult()) },
            retry: new() { FirstDelay = TimeSpan.FromHours(1), MaxDelay = TimeSpan.FromHours(1) });
        var upload = FolderJobs.UploadAsync(client.Engine, _local.Path, "/t", Options, Context());
        await waits.Task.Soon();
        await _finish.CancelAsync();
        Assert.That((await upload.Failure<OperationCanceledException>()).CancellationToken, Is.EqualTo(_finish.Token));
        Assert.That(_store.Files, Is.Empty);
    }

    [Test]
    public async Task A_file_whose_session_is_lost_then_is_not_begun_again()
    {
        _local.Add("f", [1]);
        _store.Faults.On("upload", Finishing with { LoseAfter = true });
        await using var client = new MemoryTransferClient(_store);
        var result = await FolderJobs.UploadAsync(client.Engine, _local.Path, "/t", Options, Context()).Soon();
        Assert.That((result.Files, result.Failures.Single().Error!.Error), Is.EqualTo((0L, TransferError.Lost)));
        Assert.That(_store.Files, Is.Empty);
        Assert.That(_state.Files, Is.Not.Empty, "there is something left to go on with");
    }

    [Test]
    public async Task No_folder_is_listed_any_more()
    {
        for (var i = 0; i < 5; i++) _store.AddFile($"/s/d{i}/e/f", [1]);
        _store.Faults.On("list", Finishing, 3);
        await using var client = new MemoryTransferClient(_store, new() { MaxSessions = 1 });
        await FolderJobs.DownloadAsync(client.Engine, "/s", _local.Path, Options, Context()).Failure<OperationCanceledException>();
        Assert.That(_store.Faults.Count("list"), Is.EqualTo(3));
    }

    [Test]
    public async Task Sync_deletes_nothing_after_it([Values] bool delete)
    {
        _local.Add("f", [1, 2]);
        _store.AddFile("/t/extra", [3]);
        _store.Faults.On("uploaded", Finishing);
        await using var client = new MemoryTransferClient(_store);
        var sync = FolderJobs.UploadAsync(client.Engine, _local.Path, "/t", new SyncOptions { Delete = delete }, Context());
        if (delete) Assert.That((await sync.Failure<OperationCanceledException>()).CancellationToken, Is.EqualTo(_finish.Token));
        else Assert.That((await sync.Soon()).Files, Is.EqualTo(1));
        Assert.That(_store.Files, Is.EqualTo(new[] { "/t/extra", "/t/f" }));
    }

    [Test]
    public async Task What_a_server_copies_within_itself_is_finished_too()
    {
        var store = new MemoryStore { Copies = true };
        for (var i = 0; i < Files; i++) store.AddFile($"/s/f{i}", [1]);
        store.Faults.On("copied", Finishing, 5);
        await using var client = new MemoryTransferClient(store, new() { MaxSessions = 1 });
        await CopyJobs.CopyDirectoryAsync(client.Engine, "/s", client.Engine, "/t", Options,
            Context()).Failure<OperationCanceledException>();
        // Whoever had a place already had begun.
        Assert.That(store.Faults.Count("copied"), Is.InRange(5, 6));
        Assert.That(store.Files.Count(file => file.StartsWith("/t/", StringComparison.Ordinal)), Is.EqualTo(store.Faults.Count("copied")));
        Assert.That(store.Temporaries, Is.Empty);
    }

    [Test]
    public async Task While_paused_what_is_under_way_stands_still_and_is_finished_afterwards()
    {
        var context = Context();
        for (var i = 0; i < Files; i++) _local.Add($"f{i}", Samples.Bytes(6000, i));
        _store.Faults.On("upload", new Fault { Hold = _ => { context.Pause.Pause(); _finish.Cancel(); return Task.CompletedTask; } });
        await using var client = new MemoryTransferClient(_store, new() { MaxSessions = 2 });
        var upload = FolderJobs.UploadAsync(client.Engine, _local.Path, "/t", Options with { Sessions = 1 }, context);
        await Eventually.TrueAsync(() => _store.Temporaries.Count == 1);
        for (var i = 0; i < 50; i++) await client.GetEntryAsync("/t").Soon();
        Assert.That(upload.IsCompleted, Is.False);
        Assert.That(_store.Temporaries, Has.Count.EqualTo(1));
        context.Pause.Resume();
        await upload.Failure<OperationCanceledException>();
        Assert.That(_store.Files, Has.Count.EqualTo(1).And.None.EndsWith(".part"));
    }

    [Test]
    public async Task Cancelled_after_it_the_file_under_way_is_given_up_with_the_callers_token()
    {
        for (var i = 0; i < Files; i++) _local.Add($"f{i}", [1]);
        _store.Faults.On("uploaded", new Fault { Hold = ct => { _finish.Cancel(); _cancel.Cancel(); return Task.Delay(-1, ct); } });
        await using var client = new MemoryTransferClient(_store, new() { MaxSessions = 1 });
        var error = await FolderJobs.UploadAsync(client.Engine, _local.Path, "/t", Options,
            Context()).Failure<OperationCanceledException>();
        Assert.That(error.CancellationToken, Is.EqualTo(_cancel.Token));
        Assert.That(_store.Files, Is.Empty);
    }

    [Test]
    public async Task Before_the_job_begins_it_never_does([Values] bool batch)
    {
        _local.Add("f", [1]);
        _finish.Cancel();
        await using var client = new MemoryTransferClient(_store);
        Task upload = batch
            ? new UploadBatch(client, _local.Path, "/t", new BatchOptions { Directory = Options }, Context()).RunAsync()
            : FolderJobs.UploadAsync(client.Engine, _local.Path, "/t", Options, Context());
        Assert.That((await upload.Failure<OperationCanceledException>()).CancellationToken, Is.EqualTo(_finish.Token));
        Assert.That(_store.Opened, Is.Zero);
    }
}
