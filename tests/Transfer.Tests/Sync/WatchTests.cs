using Microsoft.Extensions.Time.Testing;
using Transfer.Local;
using Transfer.Tests.Engine;
using Transfer.Watching;

namespace Transfer.Tests.Sync;

/// <summary>Folders that are followed until a job is stopped.</summary>
[Category(Categories.Slow)]
public sealed class WatchTests : MemoryFixture
{
    // Nothing here measures time: files that settle at once, and looks that are soon made again.
    private static readonly WatchOptions Soon = new() { Settle = TimeSpan.Zero, Interval = TimeSpan.FromMilliseconds(100) };

    [Test]
    public async Task A_local_folder_is_sent_and_then_what_is_new_or_changed_in_it()
    {
        Local.Add("before", [1], Samples.Time);
        await using var job = Client.StartWatch(Local.Path, "/t", SyncDirection.Up, Soon);
        await Eventually.TrueAsync(() => Store["/t/before"] is not null);
        Local.Add("d/new", [2], Samples.Time);
        await Eventually.TrueAsync(() => Store["/t/d/new"] is not null);
        Local.Add("before", [3, 4], Samples.Time);
        await Eventually.TrueAsync(() => Store["/t/before"]?.Length == 2);
        await job.StopAsync();
        var result = await job.Completion;
        Assert.That((result.Files, result.Bytes, result.Failed), Is.EqualTo((3L, 4L, 0L)));

        await using var again = Client.StartWatch(Local.Path, "/t", SyncDirection.Up, Soon);
        Local.Add("last", [5], Samples.Time);
        await Eventually.TrueAsync(() => Store["/t/last"] is not null);
        await again.StopAsync();
        Assert.That((await again.Completion).Files, Is.EqualTo(1), "a restart sends nothing again");
    }

    [Test]
    public async Task A_remote_folder_is_looked_at_again_and_again()
    {
        Store.AddFile("/s/a", [1], Samples.Time);
        var source = Soon with { Sync = new SyncOptions { RemoveSource = true } };
        await using var job = Client.StartWatch(Local.Path, "/s", SyncDirection.Down, source);
        await Eventually.TrueAsync(() => Store["/s/a"] is null);
        Store.AddFile("/s/b", [2], Samples.Time);
        await Eventually.TrueAsync(() => Store["/s/b"] is null);
        await job.StopAsync();
        Assert.That(Local.Files, Is.EquivalentTo(new[] { "a", "b" }));
    }

    [Test]
    public async Task A_file_with_a_trigger_file_waits_for_that_and_both_go()
    {
        Local.Add("waits", [1], Samples.Time);
        Local.Add("ready", [1], Samples.Time);
        Local.Add("ready.done", [], Samples.Time);
        var options = Soon with { Trigger = ".done", Sync = new SyncOptions { RemoveSource = true } };
        await using var job = Client.StartWatch(Local.Path, "/t", SyncDirection.Up, options);
        await Eventually.TrueAsync(() => !File.Exists(Local["ready.done"]));
        Assert.That((Store.Files, Local.Files), Is.EqualTo((new[] { "/t/ready" }, new[] { "waits" })));
        Local.Add("waits.done", [], Samples.Time);
        await Eventually.TrueAsync(() => !File.Exists(Local["waits.done"]));
        await job.StopAsync();
        Assert.That((Store.Files, Local.Files), Is.EqualTo((new[] { "/t/ready", "/t/waits" }, Array.Empty<string>())));
    }

    // The round still has another file when the next version comes.
    [Test]
    public async Task A_trigger_file_of_the_next_version_stays_for_that([Values] bool moves)
    {
        Store.AddFile("/s/a", [1], Samples.Time);
        Store.AddFile("/s/a.done", [], Samples.Time);
        Store.AddFile("/s/z", [1], Samples.Time);
        Store.AddFile("/s/z.done", [], Samples.Time);
        Store.Faults.On("download", new Fault
        {
            Hold = async ct =>
            {
                while (Store["/s/a"] is not null) await Task.Delay(10, ct);
                Store.AddFile("/s/a", [2, 3], Samples.Time.AddHours(1));
                Store.AddFile("/s/a.done", [], Samples.Time.AddHours(1));
            },
        }, path: path => path == "/s/z");
        var options = Soon with { Trigger = ".done", Sync = moves ? new() { MoveSourceTo = "/done" } : new() { RemoveSource = true } };
        await using var client = new MemoryTransferClient(Store, new() { MaxSessions = 4 });
        await using var job = client.StartWatch(Local.Path, "/s", SyncDirection.Down, options);
        await Eventually.TrueAsync(() => !Store.Files.Any(file => file.StartsWith("/s/", StringComparison.Ordinal)));
        await job.StopAsync();
        Assert.That((await job.Completion).Failed, Is.Zero);
        Assert.That(Local.Read("a"), Is.EqualTo(new byte[] { 2, 3 }));
    }

    [Test]
    public async Task A_local_trigger_file_of_the_next_version_stays_for_that()
    {
        foreach (var name in (string[])["a", "a.done", "z", "z.done"]) Local.Add(name, [1], Samples.Time);
        Store.Faults.On("upload", new Fault
        {
            Hold = async ct =>
            {
                while (File.Exists(Local["a"])) await Task.Delay(10, ct);
                Local.Add("a", [2, 3], Samples.Time.AddHours(1));
                Local.Add("a.done", [1], Samples.Time.AddHours(1));
            },
        }, path: path => path == "/t/z");
        await using var client = new MemoryTransferClient(Store, new() { MaxSessions = 4 });
        await using var job = client.StartWatch(Local.Path, "/t", SyncDirection.Up,
            Soon with { Trigger = ".done", Sync = new() { RemoveSource = true } });
        await Eventually.TrueAsync(() => Local.Files.Count == 0);
        await job.StopAsync();
        Assert.That((await job.Completion).Failed, Is.Zero);
        Assert.That(Store["/t/a"]!.Content, Is.EqualTo(new byte[] { 2, 3 }));
    }

    // A server that lists times in minutes does not show which version a trigger file belongs to.
    [Test]
    public async Task A_trigger_file_goes_when_its_file_is_gone_and_a_broken_round_makes_no_difference([Values] bool isCoarse)
    {
        var store = new MemoryStore { Precision = TimeSpan.FromMinutes(isCoarse ? 1 : 0.01) };
        store.AddFile("/s/a", [1], Samples.Time);
        store.AddFile("/s/a.done", [], Samples.Time);
        for (var nth = 1; nth <= 8; nth++) store.Faults.On("delete", new Fault { LoseBefore = true }, nth, path => path == "/s/a.done");
        await using var client = new MemoryTransferClient(store);
        await using var job = client.StartWatch(Local.Path, "/s", SyncDirection.Down,
            Soon with { Trigger = ".done", Sync = new() { RemoveSource = true } });
        await Eventually.TrueAsync(() => store.Files.Count == 0);
        await job.StopAsync();
        var result = await job.Completion;
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 0L)));
    }

    [TestCase(null)]
    [TestCase(".done")]
    public async Task A_source_that_could_not_be_removed_is_tried_again(string? trigger)
    {
        Store.AddFile("/s/a", [1], Samples.Time);
        if (trigger is not null) Store.AddFile("/s/a.done", [], Samples.Time);
        RefuseDeletions(2);
        var options = Soon with { Trigger = trigger, Sync = new SyncOptions { RemoveSource = true } };
        await using var job = Client.StartWatch(Local.Path, "/s", SyncDirection.Down, options);
        await Eventually.TrueAsync(() => Store.Files.Count == 0);
        await job.StopAsync();
        var result = await job.Completion;
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 0L)));
    }

    // A run that was killed leaves such a source, and its trigger file.
    [TestCase(SyncDirection.Up, null)]
    [TestCase(SyncDirection.Up, ".done")]
    [TestCase(SyncDirection.Down, null)]
    [TestCase(SyncDirection.Down, ".done")]
    public async Task A_source_that_an_earlier_run_has_sent_goes(SyncDirection direction, string? trigger)
    {
        var isUp = direction == SyncDirection.Up;
        Local.Add("a", [1], Samples.Time);
        Store.AddFile("/s/a", [1], Samples.Time);
        if (trigger is not null && isUp) Local.Add("a.done", [], Samples.Time);
        if (trigger is not null && !isUp) Store.AddFile("/s/a.done", [], Samples.Time);
        var options = Soon with { Trigger = trigger, Sync = new SyncOptions { RemoveSource = true } };
        await using var job = Client.StartWatch(Local.Path, "/s", direction, options);
        await Eventually.TrueAsync(() => isUp ? Local.Files.Count == 0 : Store.Files.Count == 0);
        await job.StopAsync();
        var result = await job.Completion;
        Assert.That((result.Files, result.Failed), Is.EqualTo((0L, 0L)));
        Assert.That((isUp ? Store.Files : Local.Files).Count, Is.EqualTo(1), "the copy");
    }

    [Test]
    [Platform("Linux,Win")]
    public async Task A_source_that_a_writer_has_open_stays_though_the_copy_is_there()
    {
        Store.AddFile("/t/open", [1], Samples.Time);
        Local.Add("open", [1], Samples.Time);
        Local.Add("new", [1], Samples.Time);
        await using var job = await WithWriterAsync("open", async () =>
        {
            var watch = Client.StartWatch(
                Local.Path, "/t", SyncDirection.Up, Soon with { Sync = new SyncOptions { RemoveSource = true } });
            await Eventually.TrueAsync(() => !File.Exists(Local["new"]));
            Assert.That(File.Exists(Local["open"]));
            return watch;
        });
        await Eventually.TrueAsync(() => !File.Exists(Local["open"]));
    }

    [Test]
    public async Task A_source_that_cannot_be_removed_is_a_failure_to_the_end()
    {
        Store.AddFile("/s/a", [1], Samples.Time);
        RefuseDeletions(1000);
        var options = Soon with { Sync = new SyncOptions { RemoveSource = true } };
        await using var job = Client.StartWatch(Local.Path, "/s", SyncDirection.Down, options);
        await Eventually.TrueAsync(() => Store.Faults.Count("delete") > 2);
        await job.StopAsync();
        var result = await job.Completion;
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 1L)));
        Assert.That(result.Failures[0].Error!.Message, Does.Contain("is left at the source"));
    }

    [Test]
    [Platform("Linux,Win")]
    public async Task A_file_that_a_writer_has_open_is_neither_sent_nor_absent()
    {
        Store.AddFile("/t/open", [9], Samples.Time);
        Local.Add("open", [1, 2], Samples.Time);
        await using var job = await WithWriterAsync("open", async () =>
        {
            var watch = Client.StartWatch(Local.Path, "/t", SyncDirection.Up, Soon with { Sync = new SyncOptions { Delete = true } });
            Store.AddFile("/t/gone", [9], Samples.Time);
            await Eventually.TrueAsync(() => Store["/t/gone"] is null);
            Assert.That(Store["/t/open"]?.Length, Is.EqualTo(1));
            return watch;
        });
        await Eventually.TrueAsync(() => Store["/t/open"]?.Length == 2);
    }

    [Test]
    public async Task A_lost_connection_delays_and_ends_nothing()
    {
        Local.Add("a", [1], Samples.Time);
        var cut = new Fault { Refuse = new TransferConnectionException(TransferError.Lost, "Cut.") };
        for (var i = 1; i <= 6; i++) Store.Faults.On("open", cut, i);
        await using var job = Client.StartWatch(Local.Path, "/t", SyncDirection.Up, Soon);
        await Eventually.TrueAsync(() => Store["/t/a"] is not null);
        await job.StopAsync();
        Assert.That((await job.Completion).Files, Is.EqualTo(1));
    }

    [Test]
    public async Task A_reason_that_time_does_not_mend_ends_the_job()
    {
        for (var i = 1; i <= 20; i++) Store.Faults.On("open", Fault.Refusal(TransferError.Auth), i);
        await using var job = Client.StartWatch(Local.Path, "/t", SyncDirection.Up, Soon);
        Assert.That(async () => await job.Completion.Soon(), Throws.InstanceOf<TransferException>());
    }

    [Test]
    public async Task New_files_do_not_have_failed_ones_tried_again_and_a_change_does()
    {
        for (var i = 1; i <= 100; i++) Store.Faults.On("upload", Fault.Refusal(TransferError.Quota), i);
        Local.Add("a", [1], Samples.Time);
        Store.AddFile("/t/extra", [1], Samples.Time);
        var options = Soon with { Interval = TimeSpan.FromHours(1), Sync = new SyncOptions { Delete = true } };
        await using var job = Client.StartWatch(Local.Path, "/t", SyncDirection.Up, options, readItems: true);
        var items = new Collected<ItemResult>();
        var reading = ReadAsync(job, items);
        await FailedAsync("a", 1);
        Local.Add("b", [1], Samples.Time);
        await FailedAsync("b", 1);
        Local.Add("c", [1], Samples.Time);
        await FailedAsync("c", 1);
        Assert.That(items.Values.Count(item => item.Path == "a"), Is.EqualTo(1));
        Assert.That(Store["/t/extra"], Is.Not.Null, "nothing is deleted while a file waits that failed");
        Local.Add("a", [1, 2], Samples.Time);
        await FailedAsync("a", 2);
        await job.StopAsync();
        await reading;
        Assert.That((await job.Completion).Failed, Is.EqualTo(3));

        async Task FailedAsync(string name, int times) =>
            await Eventually.TrueAsync(() => items.Values.Count(item => item.Path == name && item.Error is not null) == times);
    }

    [Test]
    public async Task A_file_that_failed_and_was_sent_later_has_not_failed()
    {
        Local.Add("a", [1], Samples.Time);
        Store.Faults.On("upload", Fault.Refusal(TransferError.Quota));
        await using var job = Client.StartWatch(Local.Path, "/t", SyncDirection.Up, Soon, readItems: true);
        var items = new Collected<ItemResult>();
        var reading = ReadAsync(job, items);
        await Eventually.TrueAsync(() => Store["/t/a"] is not null);
        await job.StopAsync();
        await reading;
        Assert.That(items.Values.Select(item => item.Error?.Error), Is.EqualTo(new TransferError?[] { TransferError.Quota, null }));
        Assert.That((await job.Completion).Failed, Is.Zero);
    }

    [Test]
    public async Task An_entry_that_is_left_out_in_each_round_is_reported_once()
    {
        Local.Add("sent/old", [1], Samples.Time);
        Local.Add("a", [1], Samples.Time);
        var options = Soon with { Sync = new SyncOptions { MoveSourceTo = "sent" } };
        await using var job = Client.StartWatch(Local.Path, "/t", SyncDirection.Up, options, readItems: true);
        var items = new Collected<ItemResult>();
        var reading = ReadAsync(job, items);
        await Eventually.TrueAsync(() => !File.Exists(Local["a"]));
        Local.Add("b", [1], Samples.Time);
        await Eventually.TrueAsync(() => !File.Exists(Local["b"]));
        await job.StopAsync();
        await reading;
        var skipped = items.Values.Where(item => item.Result?.Skipped == true).Select(item => item.Path);
        Assert.That((skipped, (await job.Completion).Skipped), Is.EqualTo((new[] { "sent" }, 1L)));
    }

    [Test]
    public void Pauses_of_a_failed_file_double_up_to_the_longest_and_end_with_a_change()
    {
        var (time, items) = (new FakeTimeProvider(), new Collected<ItemResult>());
        var pauses = new RetryPauses(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(4), time, items);
        foreach (var seconds in new[] { 1, 2, 4, 4 })
        {
            Fail();
            Assert.That(Left(1), Is.EqualTo(TimeSpan.FromSeconds(seconds)));
            time.Advance(TimeSpan.FromSeconds(seconds));
            pauses.Begin();
            Assert.That((Left(1), pauses.Waiting), Is.EqualTo((TimeSpan.Zero, 0L)));
        }
        Fail();
        Assert.That((Left(1), Left(2)), Is.EqualTo((TimeSpan.FromSeconds(4), TimeSpan.Zero)), "the file has changed");
        pauses.Begin();
        pauses.Begin();
        Assert.That(Left(1), Is.EqualTo(TimeSpan.Zero), "a round has not met the file");
        Fail();
        pauses.Report(new ItemResult { Path = "a", Result = new TransferResult() });
        Assert.That(Left(1), Is.EqualTo(TimeSpan.Zero));
        Assert.That(items.Values, Has.Count.EqualTo(7));

        TimeSpan Left(long length) => pauses.Left("a", length, Samples.Time);
        void Fail() => pauses.Report(new ItemResult { Path = "a", Error = new TransferException(TransferError.Quota, "Full.") });
    }

    [Test]
    public void A_file_is_ready_when_nothing_has_changed_for_the_time()
    {
        var time = new FakeTimeProvider();
        var gate = new SettledFiles(new WatchedSource(null, Client, "/s"),
            new WatchOptions { Settle = TimeSpan.FromSeconds(5), TimeProvider = time }, null,
            new RetryPauses(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(4), time, new Collected<ItemResult>()),
            new WatchTotals(null, null));
        Assert.That((Look(1), gate.Next), Is.EqualTo((false, TimeSpan.FromSeconds(5))));
        time.Advance(TimeSpan.FromSeconds(3));
        Assert.That((Look(1), gate.Next), Is.EqualTo((false, TimeSpan.FromSeconds(2))));
        time.Advance(TimeSpan.FromSeconds(2));
        Assert.That((Look(2), gate.Next), Is.EqualTo((false, TimeSpan.FromSeconds(5))), "longer than before");
        time.Advance(TimeSpan.FromSeconds(5));
        Assert.That((Look(2), gate.Next), Is.EqualTo((true, (TimeSpan?)null)));
        Assert.That(Look(2), Is.False, "forgotten once sent");
        gate.Begin();
        gate.Begin();
        time.Advance(TimeSpan.FromSeconds(9));
        Assert.That(gate.IsReady("f", 2, Samples.Time), Is.False, "forgotten in a round without the file");

        bool Look(long length)
        {
            gate.Begin();
            return gate.IsReady("f", length, Samples.Time);
        }
    }

    [Test]
    [Platform("Linux,Win")]
    public async Task The_system_tells_whether_a_file_is_open_for_writing()
    {
        var path = Local.Add("f", "x");
        Assert.That(OpenWriters.Has(path), Is.False);
        Assert.That(await WithWriterAsync("f", () => Task.FromResult(OpenWriters.Has(path))), Is.True);
        using var reader = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        Assert.That((OpenWriters.Has(path), OpenWriters.Has(Local["none"])), Is.EqualTo((false, false)));
    }

    [Test]
    public void Options_that_cannot_be_meant_are_refused()
    {
        foreach (var options in (WatchOptions[])
            [
                Soon with { Settle = TimeSpan.FromSeconds(-1) }, Soon with { Settle = TimeSpan.FromDays(2) },
                Soon with { Interval = TimeSpan.Zero }, Soon with { Trigger = "" }, Soon with { Trigger = "a/b" },
                Soon with { Sync = new SyncOptions { DryRun = true } },
                Soon with { Sync = new SyncOptions { Links = LinkHandling.Follow } },
            ])
        {
            Assert.That(() => Client.StartWatch(Local.Path, "/t", SyncDirection.Up, options), Throws.InstanceOf<ArgumentException>());
        }
    }

    private async Task<T> WithWriterAsync<T>(string name, Func<Task<T>> act)
    {
        await using var writer = new FileStream(Local[name], FileMode.Append, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete);
        return await act();
    }

    private static async Task ReadAsync(TransferJob job, Collected<ItemResult> items)
    {
        await foreach (var item in job.ReadItemsAsync()) items.Report(item);
    }

    private void RefuseDeletions(int times)
    {
        for (var nth = 1; nth <= times; nth++)
            Store.Faults.On("delete", Fault.Refusal(TransferError.Denied), nth, path => path == "/s/a");
    }
}
