using Transfer.Batch.Carriers;
using Transfer.TestSupport.Batch;
using Transfer.Testing;

namespace Transfer.Tests.Batch.Direct;

/// <summary>Archives over direct connections, well and not so well.</summary>
[Category(Categories.Slow)]
public sealed class CarrierTests
{
    private const int Length = 300_000;

    [Test]
    public async Task A_job_that_cannot_be_finished_is_let_go_of_all_the_same()
    {
        var sink = new MemorySink { Unfinished = () => new IOException("The disk is gone.") };
        await using var job = new ReceivingJobOf(sink);
        await Assert.ThrowsAsync<TransferException>(() => job.EndAsync(0));
        Assert.That(sink.IsDisposed, Is.True);
        await Assert.ThrowsAsync<TransferException>(() => job.Completion);
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task What_a_lane_brings_after_it_was_settled_is_not_received_again(bool isEnded)
    {
        var sink = new MemorySink();
        await using var job = new ReceivingJobOf(sink);
        await job.ReceiveAsync(7, [1]);
        await job.ReceiveAsync(8, [2], settledBelow: 8);
        if (isEnded) await job.EndAsync(0);
        var late = await Assert.ThrowsAsync<TransferException>(() => job.ReceiveAsync(7, [1]));
        Assert.That(late.Error, Is.EqualTo(TransferError.Lost));
        Assert.That((await job.ReceiveAsync(8, [2], settledBelow: 8)).Files, Is.EqualTo(1), "its receipt was lost");
        Assert.That(sink.Archives, Has.Count.EqualTo(2));
    }

    [Test]
    public async Task What_a_sender_gave_up_before_it_came_is_a_failure_too()
    {
        var sink = new MemorySink();
        await using var job = new ReceivingJobOf(sink);
        await job.ReceiveAsync(0, [1]);
        sink.OnBegin = (_, _) => throw new TransferException(TransferError.Quota, "The disk is full.");
        await Assert.ThrowsAsync<TransferException>(() => job.ReceiveAsync(1, [1]));
        await job.EndAsync(4);
        job.Close();
        var result = await job.Completion;
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 2L)));
        Assert.That(result.Failures.Select(item => item.Error!.Error), Is.EqualTo(new[] { TransferError.Quota, TransferError.Lost }));
        Assert.That(result.Failures[1].Error!.Message, Does.Contain("3 archives"));
    }

    [TestCase(1)]
    [TestCase(4)]
    [TestCase(null)]
    public async Task Every_archive_arrives_once_and_is_confirmed(int? lanes)
    {
        await using var harness = new DirectHarness();
        var source = new MemorySource(20, Length);
        var carried = await DirectHarness.SendAsync(harness.Address, source, lanes);
        AssertArrived(harness.Sinks.Single(), source, 20);
        var result = await harness.EndAsync();
        Assert.That(result.Files, Is.EqualTo(20));
        Assert.That(result.Bytes, Is.EqualTo(20 * Length));
        if (lanes is { } asked) Assert.That((carried.Lanes, result.Sessions), Is.EqualTo((asked, asked)));
        Assert.That((harness.Sinks[0].IsFinished, harness.Sinks[0].IsDisposed), Is.EqualTo((true, true)));
        Assert.That(source.Confirmed[1].Skipped, Is.EqualTo(new[] { "left/as-it-was" }));
    }

    [Test]
    public async Task A_job_without_archives_ends_too()
    {
        await using var harness = new DirectHarness();
        await DirectHarness.SendAsync(harness.Address, new MemorySource(0, 0));
        Assert.That((await harness.EndAsync()).Files, Is.Zero);
    }

    [Test]
    public async Task More_lanes_than_archives_are_not_opened()
    {
        await using var harness = new DirectHarness();
        Assert.That((await DirectHarness.SendAsync(harness.Address, new MemorySource(2, 100), lanes: 8)).Lanes, Is.LessThanOrEqualTo(2));
    }

    [Test]
    public async Task Archives_follow_each_other_without_waiting_for_receipts()
    {
        await using var harness = new DirectHarness();
        var all = new TaskCompletionSource();
        var come = 0;
        harness.OnOpen = sink => sink.OnEnd = async (_, ct) =>
        {
            // No archive is confirmed before three have come over the one lane.
            if (Interlocked.Increment(ref come) == 3) all.SetResult();
            await all.Task.WaitAsync(ct);
        };
        var source = new MemorySource(3, 1000);
        await DirectHarness.SendAsync(harness.Address, source, lanes: 1);
        AssertArrived(harness.Sinks.Single(), source, 3);
    }

    [Test]
    public async Task What_the_source_adds_when_all_is_settled_is_carried_too()
    {
        await using var harness = new DirectHarness();
        var source = new MemorySource(3, 1000);
        var added = 0;
        source.OneMore = () => source.Confirmed.Count == 3 && added++ == 0;
        await DirectHarness.SendAsync(harness.Address, source);
        AssertArrived(harness.Sinks.Single(), source, 4);
    }

    [Test]
    public async Task Files_that_failed_are_told_with_the_receipt()
    {
        await using var harness = new DirectHarness();
        harness.OnOpen = sink =>
        {
            sink.Failures = index =>
                index == 1
                ? [new ArchiveFailure("a/b", TransferError.Exists, "It is there."),
                    new ArchiveFailure("c\uDCFF", TransferError.Denied, "No.")] : [];
        };
        var source = new MemorySource(3, 1000);
        await DirectHarness.SendAsync(harness.Address, source);
        Assert.That(source.Confirmed[1].Failures.Select(f => (f.Path, f.Error, f.Message)),
            Is.EqualTo(new[] { ("a/b", TransferError.Exists, "It is there."), ("c\uDCFF", TransferError.Denied, "No.") }));
        Assert.That(source.Confirmed[0].Failures, Is.Empty);
    }

    [Test]
    public async Task An_archive_that_cannot_be_packed_fails_and_the_others_arrive()
    {
        await using var harness = new DirectHarness();
        var source = new MemorySource(5,
            Length)
        { Broken = index => index == 2 ? new TransferException(TransferError.Denied, "unreadable") : null };
        await DirectHarness.SendAsync(harness.Address, source, lanes: 1);
        Assert.That(source.Failed.Single().Value.Error, Is.EqualTo(TransferError.Denied));
        Assert.That(source.Confirmed.Keys, Is.EquivalentTo(new long[] { 0, 1, 3, 4 }));
        Assert.That(harness.Sinks.Single().Archives.Keys, Is.EquivalentTo(new long[] { 0, 1, 3, 4 }));
        Assert.That((await harness.EndAsync()).Failures.Select(item => item.Path), Is.EqualTo(new[] { "archive 2" }), "the receiver knows");
    }

    [Test]
    public async Task An_archive_that_is_refused_fails_and_the_others_arrive()
    {
        await using var harness = new DirectHarness();
        harness.OnOpen = sink =>
            sink.OnBegin =
            (index, _) => index == 1 ? throw new TransferException(TransferError.Quota, "The disk is full.") : Task.CompletedTask;
        var source = new MemorySource(5, Length);
        await DirectHarness.SendAsync(harness.Address, source, lanes: 1);
        Assert.That(source.Failed.Single().Value,
            Has.Property("Error").EqualTo(TransferError.Quota).And.Message.Contains("The disk is full."));
        Assert.That(source.Written[1], Is.EqualTo(1), "it is not carried again");
        Assert.That(source.Confirmed, Has.Count.EqualTo(4));
        var received = await harness.EndAsync();
        Assert.That((received.Files, received.Failed), Is.EqualTo((4L, 1L)));
        Assert.That(received.Failures.Single(),
            Has.Property("Path").EqualTo("archive 1").And.Property("Error").Property("Error").EqualTo(TransferError.Quota));
    }

    [Test]
    public async Task An_archive_that_does_not_open_is_carried_again()
    {
        await using var harness = new DirectHarness();
        var times = 0;
        harness.OnOpen = sink => sink.OnBegin = (index, _) =>
            index == 1 && times++ == 0
            ? throw new TransferException(TransferError.Integrity, "A frame is not authentic.") : Task.CompletedTask;
        var source = new MemorySource(3, Length);
        Assert.That((await DirectHarness.SendAsync(harness.Address, source)).Retries, Is.EqualTo(1));
        AssertArrived(harness.Sinks.Single(), source, 3);
        Assert.That((await harness.EndAsync()).Failed, Is.Zero, "it has come in the end");
    }

    [Test]
    public async Task An_archive_that_never_opens_is_given_up_at_last()
    {
        await using var harness = new DirectHarness();
        harness.OnOpen = sink => sink.OnBegin = (_, _) => throw new TransferException(TransferError.Integrity, "A frame is not authentic.");
        var source = new MemorySource(1, 1000);
        await DirectHarness.SendAsync(harness.Address, source, retry: DirectHarness.Quick with { Attempts = 3 });
        Assert.That(source.Failed.Single().Value.Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(source.Written[0], Is.EqualTo(3));
        Assert.That((await harness.EndAsync()).Failures.Select(item => item.Error!.Error), Is.EqualTo(new[] { TransferError.Integrity }),
            "once, however often it was refused");
    }

    [Test]
    public async Task A_sink_that_fails_unexpectedly_does_not_leave_the_sender_waiting()
    {
        await using var harness = new DirectHarness();
        harness.OnOpen = sink => sink.OnBegin = (_, _) => throw new InvalidOperationException("a mistake");
        var source = new MemorySource(1, 1000);
        try
        {
            await DirectHarness.SendAsync(harness.Address, source, retry: DirectHarness.Quick with { Attempts = 2 });
        }
        catch (TransferConnectionException)
        {
            // Whether the lane or the archive has used its attempts up first.
        }
        Assert.That(source.Failed.Single().Key, Is.Zero);
        Assert.That(source.Written[0], Is.EqualTo(2));
    }

    [TestCase(1)]
    [TestCase(3)]
    public async Task Lanes_that_are_cut_are_opened_again_and_nothing_is_lost(int lanes)
    {
        await using var harness = new DirectHarness();
        await using var link = await TestLink.StartAsync(harness.EndPoint, new LinkOptions());
        var source = new MemorySource(20, Length);
        var cuts = 0;
        source.OnWritten = (index, at) =>
        {
            if (index % 6 == 5 && at > 100_000 && source.Written[index] == 1 && Interlocked.Increment(ref cuts) <= 3) link.CutAll();
            return Task.CompletedTask;
        };
        var carried = await DirectHarness.SendAsync(harness.AddressAt(link.EndPoint), source, lanes);
        AssertArrived(harness.Sinks.Single(), source, 20);
        Assert.That(carried.Retries, Is.GreaterThan(0));
        Assert.That((await harness.EndAsync()).Files, Is.EqualTo(20));
    }

    [Test]
    public async Task A_receipt_that_was_lost_is_told_again_and_the_archive_is_not_received_twice()
    {
        await using var harness = new DirectHarness();
        await using var link = await TestLink.StartAsync(harness.EndPoint, new LinkOptions());
        harness.OnOpen = sink => sink.OnEnd = (index, _) =>
        {
            // The archive is whole here, and its receipt goes nowhere.
            if (index == 1 && !sink.Archives.ContainsKey(1)) link.CutAll();
            return Task.CompletedTask;
        };
        var source = new MemorySource(3, 1000);
        await DirectHarness.SendAsync(harness.AddressAt(link.EndPoint), source, lanes: 1);
        Assert.That(source.Confirmed.Keys, Is.EquivalentTo(new long[] { 0, 1, 2 }));
    }

    [Test]
    public async Task A_receiver_that_is_killed_and_started_again_gets_what_was_not_confirmed()
    {
        await using var harness = new DirectHarness(keep: true);
        var source = new MemorySource(12, Length);
        var killed = new TaskCompletionSource();
        var begun = new TaskCompletionSource();
        harness.OnOpen = sink => sink.OnEnd = (index, _) =>
        {
            begun.TrySetResult();
            return Task.CompletedTask;
        };
        var kill = 0;
        source.OnWritten = async (index, at) =>
        {
            if (index == 6 && at > 100_000 && Interlocked.Exchange(ref kill, 1) == 0)
            {
                await begun.Task;
                await harness.RestartAsync();
                killed.SetResult();
            }
        };
        await DirectHarness.SendAsync(harness.Address, source, lanes: 2);
        Assert.That(killed.Task.IsCompleted);
        Assert.That(source.Confirmed, Has.Count.EqualTo(12));
        Assert.That(harness.Sinks, Has.Count.EqualTo(2));
        var arrived = harness.Sinks.SelectMany(sink => sink.Archives).ToLookup(pair => pair.Key, pair => pair.Value);
        for (var i = 0; i < 12; i++)
        {
            Assert.That(arrived[i], Is.Not.Empty);
            foreach (var content in arrived[i]) Same.Bytes(content, MemorySource.ContentOf(i, Length), $"archive {i}");
        }
        Assert.That(harness.Sinks[0].IsDisposed, "what was half there is tidied up");
    }

    [Test]
    public async Task A_receiver_that_is_gone_for_good_fails_the_job_and_all_that_is_open()
    {
        var harness = new DirectHarness();
        var source = new MemorySource(12, Length);
        var killed = 0;
        source.OnWritten = async (index, at) =>
        {
            if (index == 3 && at > 100_000 && killed++ == 0) await harness.DisposeAsync();
        };
        var error = await Assert.ThrowsAsync<TransferConnectionException>(
            () => DirectHarness.SendAsync(harness.Address, source, lanes: 1, retry: DirectHarness.Quick with { Attempts = 2 }));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Lost));
        Assert.That(source.Failed, Is.Not.Empty);
    }

    [Test]
    public async Task A_receiver_that_never_was_there_is_asked_once()
    {
        var token = Transfer.Batch.BatchToken.Create(new byte[32], new byte[32]);
        using var free = new System.Net.Sockets.TcpListener(System.Net.IPAddress.Loopback, 0);
        free.Start();
        var port = ((System.Net.IPEndPoint)free.LocalEndpoint).Port;
        free.Stop();
        var error = await Assert.ThrowsAsync<TransferConnectionException>(
            () => DirectHarness.SendAsync(new Transfer.Batch.BatchAddress("127.0.0.1", port, token), new MemorySource(1, 10),
            retry: new RetryOptions { FirstDelay = TimeSpan.FromHours(1) }));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Lost));
    }

    [Test]
    public async Task A_sender_that_is_cancelled_ends_and_its_receiver_tidies_up_when_it_does_not_come_back()
    {
        await using var harness = new DirectHarness(returnTime: TimeSpan.FromMilliseconds(50));
        using var stop = new CancellationTokenSource();
        var source = new MemorySource(12, Length);
        var begun = new TaskCompletionSource();
        harness.OnOpen = _ => begun.TrySetResult();
        source.OnWritten = async (index, at) =>
        {
            if (index != 3 || at < 100_000) return;
            await begun.Task;
            await stop.CancelAsync();
        };
        var error =
            await Assert.ThrowsAsync<OperationCanceledException>(() => DirectHarness.SendAsync(harness.Address, source, ct: stop.Token));
        Assert.That(error!.CancellationToken, Is.EqualTo(stop.Token));
        Assert.That((await Assert.ThrowsAsync<TransferConnectionException>(harness.EndAsync))!.Error, Is.EqualTo(TransferError.Lost));
        Assert.That(harness.Sinks.Single().IsDisposed);
        Assert.That(harness.Sinks.Single().Archives.Keys, Has.None.EqualTo(3));
    }

    [Test]
    public async Task A_source_that_fails_breaks_the_job_off_with_its_own_error()
    {
        await using var harness = new DirectHarness();
        var source = new MemorySource(2,
            1000)
        { OneMore = () => throw new TransferException(TransferError.Denied, "The folder can't be read.") };
        Assert.That((await Assert.ThrowsAsync<TransferException>(() => DirectHarness.SendAsync(harness.Address, source)))!.Error,
            Is.EqualTo(TransferError.Denied));
    }

    internal static void AssertArrived(MemorySink sink, MemorySource source, int count, int length = 0)
    {
        Assert.That(source.Failed, Is.Empty);
        Assert.That(source.Confirmed, Has.Count.EqualTo(count));
        Assert.That(sink.Archives, Has.Count.EqualTo(count));
        foreach (var (index, content) in sink.Archives)
            Same.Bytes(content, MemorySource.ContentOf(index, length == 0 ? content.Length : length), $"archive {index}");
    }
}
