using Transfer.Engine.Files;
using Transfer.Engine.Operations;
using Transfer.Handles;

namespace Transfer.Tests.Engine;

public sealed class TransferJobTests : MemoryFixture
{
    [Test]
    public async Task Its_items_are_every_one_and_then_there_are_the_counts()
    {
        for (var i = 0; i < 100; i++) Local.Add($"d{i % 3}/f{i}", [1]);
        Store.Faults.On("upload", Fault.Refusal(TransferError.Denied), path: path => path == "/t/d1/f7");
        await using var job = Upload();
        var seen = await ReadAsync(job).Soon();
        Assert.That(seen.Select(item => item.Path), Is.EquivalentTo(Local.Files));
        Assert.That(seen.Single(item => item.Error is not null).Path, Is.EqualTo("d1/f7"));
        var result = await job.Completion.Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((99L, 1L)));
        Assert.That((job.Progress.Files, job.Progress.Bytes, job.Progress.TotalFiles), Is.EqualTo((99L, 99L, (long?)99)));
    }

    [Test]
    public async Task Items_that_ended_before_the_reader_came_are_not_lost_and_are_read_once()
    {
        for (var i = 0; i < 100; i++) Local.Add($"f{i}", [1]);
        await using var job = Upload();
        await job.Completion.Soon();
        Assert.That(await ReadAsync(job).Soon(), Has.Count.EqualTo(100));
        Assert.That(() => job.ReadItemsAsync(), Throws.InvalidOperationException);
    }

    [Test]
    public async Task Items_that_were_not_asked_for_are_not_kept()
    {
        Local.Add("f", [1]);
        await using var job = Client.StartUploadDirectory(Local.Path, "/t");
        Assert.That(() => job.ReadItemsAsync(), Throws.InvalidOperationException);
        Assert.That((await job.Completion.Soon()).Files, Is.EqualTo(1));
    }

    [Test]
    public async Task Items_come_while_the_job_runs()
    {
        Local.Add("a", [1]);
        Local.Add("b", [1]);
        var goOn = new TaskCompletionSource();
        // The second one, whichever: folders of a RAM disk are read newest first, and one session moves both files.
        Store.Faults.On("upload", new Fault { Hold = ct => goOn.Task.WaitAsync(ct) }, nth: 2);
        await using var job = Upload();
        await using var items = job.ReadItemsAsync().GetAsyncEnumerator();
        Assert.That(await items.MoveNextAsync().Soon());
        var first = items.Current.Path;
        Assert.That(job.Completion.IsCompleted, Is.False);
        goOn.SetResult();
        Assert.That(await items.MoveNextAsync().Soon());
        Assert.That((first, items.Current.Path), Is.EqualTo(("a", "b")).Or.EqualTo(("b", "a")));
        Assert.That(await items.MoveNextAsync().Soon(), Is.False);
    }

    [Test]
    public async Task Disposed_of_it_is_cancelled_and_nothing_half_stays()
    {
        for (var i = 0; i < 500; i++) Local.Add($"f{i:000}", Samples.Bytes(5000));
        var begun = new TaskCompletionSource();
        Store.Faults.On("upload", new Fault { Hold = ct => { begun.SetResult(); return Task.Delay(Timeout.Infinite, ct); } }, nth: 20);
        var job = Upload();
        await begun.Task.Soon();
        await job.DisposeAsync().AsTask().Soon();
        Assert.That(job.Completion.IsCanceled);
        Assert.That(Store.Files, Has.Count.LessThan(500));
        Assert.That(Store.Temporaries, Is.Empty);
        await job.StopAsync().Soon();
        await job.DisposeAsync().AsTask().Soon();
    }

    [Test]
    public async Task A_reader_that_leaves_early_does_not_end_the_job()
    {
        for (var i = 0; i < 50; i++) Local.Add($"f{i}", [1]);
        await using var job = Upload();
        await foreach (var item in job.ReadItemsAsync()) break;
        Assert.That((await job.Completion.Soon()).Files, Is.EqualTo(50));
    }

    [Test]
    public async Task A_reader_that_leaves_lets_a_job_go_on_that_it_held_back()
    {
        var run = new TaskCompletionSource<bool>();
        await using var job = TransferJob.Start(async context =>
        {
            for (var i = 0; i < TransferJob.MostUnread; i++) context.Items!.Report(new ItemResult { Path = $"f{i}" });
            var room = context.WhenItemsAreReadAsync(context.CancellationToken).AsTask();
            run.SetResult(room.IsCompleted);
            await room;
            context.Items!.Report(new ItemResult { Path = "more" });
            await context.WhenItemsAreReadAsync(context.CancellationToken);
            return new JobResult();
        }, readItems: true);
        Assert.That(await run.Task.Soon(), Is.False);
        await foreach (var item in job.ReadItemsAsync()) break;
        await job.Completion.Soon();
    }

    [Test]
    public async Task The_callers_token_cancels_the_job_and_its_items_still_come()
    {
        for (var i = 0; i < 50; i++) Local.Add($"f{i}", [1]);
        using var cancel = new CancellationTokenSource();
        Store.Faults.On("upload", new Fault { Hold = async ct => { await cancel.CancelAsync(); await Task.Delay(Timeout.Infinite, ct); } },
            nth: 20);
        await using var job = Client.StartUploadDirectory(Local.Path, "/t", readItems: true, cancellationToken: cancel.Token);
        Assert.That((await ReadAsync(job).Soon()).Count(item => item.Result is not null), Is.EqualTo(Store.Files.Count));
        Assert.That((await job.Completion.Failure<OperationCanceledException>()).CancellationToken, Is.EqualTo(cancel.Token));
    }

    [Test]
    public async Task The_readers_token_ends_the_reading_and_not_the_job()
    {
        Local.Add("f", [1]);
        var goOn = new TaskCompletionSource();
        Store.Faults.On("upload", new Fault { Hold = _ => goOn.Task });
        using var cancel = new CancellationTokenSource();
        await using var job = Upload();
        var reading = Task.Run(async () =>
        {
            await foreach (var item in job.ReadItemsAsync().WithCancellation(cancel.Token)) Assert.Fail(item.Path);
        });
        cancel.Cancel();
        await reading.Failure<OperationCanceledException>();
        goOn.SetResult();
        Assert.That((await job.Completion.Soon()).Files, Is.EqualTo(1));
    }

    [Test]
    public async Task What_the_job_as_a_whole_throws_is_its_completions()
    {
        await using var job = Client.StartDownloadDirectory("/no", Local.Path, readItems: true);
        Assert.That(await ReadAsync(job).Soon(), Is.Empty);
        Assert.That((await job.Completion.Failure<TransferException>()).Error, Is.EqualTo(TransferError.NotFound));
    }

    [Test]
    public async Task Items_that_are_not_read_hold_the_job_back_and_no_session()
    {
        const int Count = 30_000;
        await using var client = new MemoryTransferClient(Store, open: _ => new HugeSession(Count));
        var line = new ItemLine(100);
        var job = EndAsync(line,
            FolderJobs.DownloadAsync(client.Engine, "/huge", Local.Path, new DirectoryOptions { Overwrite = OverwriteMode.Always },
                new TransferJobContext(items: line)));
        await Eventually.TrueAsync(() => line.IsJobWaiting);
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
    public async Task Stopped_it_finishes_the_file_under_way_begins_no_other_and_ends_as_cancelled([Values] bool decorated)
    {
        for (var i = 0; i < 20; i++) Local.Add($"f{i}", Samples.Bytes(6000, i));
        await using var client = new MemoryTransferClient(Store, new() { MaxSessions = 1 });
        await using var outer = new DecoratedClient(client);
        var started = new TaskCompletionSource<TransferJob>();
        Task? stopping = null;
        Store.Faults.On("uploaded", new Fault { Hold = async _ => stopping = (await started.Task).StopAsync() }, 5);
        await using var job = (decorated ? (TransferClient)outer : client).StartUploadDirectory(Local.Path, "/t", readItems: true);
        started.SetResult(job);
        var items = await ReadAsync(job).Soon();
        await stopping!.Soon();
        Assert.That(job.Completion.IsCanceled);
        Assert.That(Store.Files, Has.Count.EqualTo(5));
        Assert.That(Store.Temporaries, Is.Empty);
        Assert.That(items.Select(item => item.Result?.Bytes), Is.EqualTo(Enumerable.Repeat(6000L, 5)));
    }

    [Test]
    public async Task Stopped_when_nothing_is_left_it_ends_as_ever()
    {
        Local.Add("f", [1]);
        var started = new TaskCompletionSource<TransferJob>();
        Store.Faults.On("uploaded", new Fault { Hold = async ct => { _ = (await started.Task).StopAsync(); } });
        await using var job = Upload();
        started.SetResult(job);
        Assert.That((await job.Completion.Soon()).Files, Is.EqualTo(1));
    }

    [Test]
    public async Task A_handle_works_behind_a_decorator_and_its_twin_too()
    {
        for (var i = 0; i < 10; i++) Local.Add($"f{i}", [1]);
        await using var outer = new DecoratedClient(Client);
        await using var job = outer.StartUploadDirectory(Local.Path, "/t", readItems: true);
        Assert.That(await ReadAsync(job).Soon(), Has.Count.EqualTo(10));
        Assert.That((await outer.UploadDirectoryAsync(Local.Path, "/u").Soon()).Files, Is.EqualTo(10));
        Assert.That((await outer.UploadFileAsync(Local["f0"], "/one").Soon()).Bytes, Is.EqualTo(1));
        Assert.That(outer.Started, Is.EqualTo(3));
    }

    [Test]
    public async Task A_batch_of_a_decorator_goes_its_way_and_is_paused_and_stopped_with_its_handle()
    {
        for (var i = 0; i < 20; i++) Local.Add($"f{i}", [1]);
        await using var client = new MemoryTransferClient(Store, new() { MaxSessions = 1 });
        await using var outer = new DecoratedClient(client);
        var started = new TaskCompletionSource<TransferJob>();
        Store.Faults.On("uploaded", new Fault { Hold = async _ => (await started.Task).Pause() }, 5);
        await using var job = outer.StartUploadDirectory(Local.Path, "/t", new BatchOptions { Mode = BatchMode.Never }, readItems: true);
        started.SetResult(job);
        await Eventually.TrueAsync(() => job.IsPaused && Store.Files.Count == 5);
        for (var i = 0; i < 50; i++) await client.GetEntryAsync("/t").Soon();
        Assert.That((Store.Files.Count, outer.Started), Is.EqualTo((5, 1)));
        var stopping = job.StopAsync();
        job.Resume();
        await stopping.Soon();
        Assert.That((job.Completion.IsCanceled, Store.Files.Count), Is.EqualTo((true, 5)));
        Assert.That(await ReadAsync(job).Soon(), Has.Count.EqualTo(5));
    }

    [Test]
    public async Task The_job_of_one_file_has_one_item_and_its_failure_is_the_completions()
    {
        Local.Add("f", [1, 2]);
        await using var job = Client.StartUploadFile(Local["f"], "/g", readItems: true);
        var item = (await ReadAsync(job).Soon()).Single();
        Assert.That((item.Path, item.Result!.Bytes, (await job.Completion.Soon()).Files), Is.EqualTo(("g", 2L, 1L)));
        await using var refused = Client.StartUploadFile(Local["f"], "/g");
        Assert.That((await refused.Completion.Failure<TransferException>()).Error, Is.EqualTo(TransferError.Exists));
        await using var skipped = Client.StartUploadFile(Local["f"], "/g", new() { Overwrite = OverwriteMode.Skip }, readItems: true);
        Assert.That(((await ReadAsync(skipped).Soon()).Single().Action, (await skipped.Completion.Soon()).Skipped),
            Is.EqualTo((ItemAction.Skip, 1L)));
    }

    [Test]
    public async Task An_application_can_make_one_for_its_tests()
    {
        var goOn = new TaskCompletionSource();
        await using var job = TransferJob.Start(async context =>
        {
            using var sessions = context.AddSessions(() => [new TransferLane { Number = 1, Path = "/f" }]);
            context.Progress.Report(new TransferProgress { Bytes = 5 });
            context.Items?.Report(new ItemResult { Path = "f" });
            await goOn.Task;
            await context.WhenResumedAsync(context.CancellationToken);
            return new JobResult { Files = 1 };
        }, readItems: true);
        Assert.That((job.Progress.Bytes, job.Sessions.Single().Path, job.Id.Length), Is.EqualTo((5L, "/f", 8)));
        job.Pause();
        goOn.SetResult();
        Assert.That(job.Completion.IsCompleted, Is.False);
        job.Resume();
        Assert.That((await ReadAsync(job).Soon()).Single().Path, Is.EqualTo("f"));
        Assert.That((await job.Completion.Soon(), job.Sessions.Count), Is.EqualTo((new JobResult { Files = 1 }, 0)));
    }

    private TransferJob Upload() => Client.StartUploadDirectory(Local.Path, "/t", readItems: true);

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

    private static Task<List<ItemResult>> ReadAsync(TransferJob job) => Task.Run(async () =>
    {
        var seen = new List<ItemResult>();
        await foreach (var item in job.ReadItemsAsync()) seen.Add(item);
        return seen;
    });
}
