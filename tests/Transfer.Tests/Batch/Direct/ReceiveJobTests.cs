using System.IO.Pipelines;
using System.Net;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Batch;
using Transfer.Batch.Carriers.Link;
using Transfer.Handles;
using Transfer.TestSupport.Batch;

namespace Transfer.Tests.Batch.Direct;

/// <summary>The handles of a receiver's jobs: pause, stop, cancellation, items, progress, sessions.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class ReceiveJobTests : IDisposable
{
    private const int Files = 80;
    private static readonly DateTimeOffset Time = new(2024, 5, 6, 7, 8, 9, TimeSpan.Zero);

    private readonly TempFolder _from = new();
    private readonly TempFolder _to = new();
    private readonly TempFolder _state = new();

    public void Dispose()
    {
        _state.Dispose();
        _to.Dispose();
        _from.Dispose();
    }

    // More than a lane sends without a receipt.
    private BatchSenderOptions Options => new() { Sessions = 1, ArchiveBytes = 200_000, Journal = _state["journal"] };

    [Test]
    public async Task Until_a_handle_takes_the_job_and_while_it_is_paused_nothing_arrives()
    {
        Fill();
        await using var receiver = Listen();
        await using var send = new BatchSender(receiver.Address, Options).StartSend(_from.Path);
        await Eventually.TrueAsync(() => send.Progress.Bytes > 300_000);
        Assert.That(Arrived(), Is.Empty, "nobody receives");

        await using var receive = receiver.StartReceive(readItems: true);
        receive.Pause();
        Assert.That(receive.IsPaused);
        receive.Resume();
        var items = await receive.ReadItemsAsync().ToListAsync().Soon();
        Assert.That(items.Select(item => item.Path), Is.EquivalentTo(_from.Files));
        var (sent, received) = (await send.Completion.Soon(), await receive.Completion.Soon());
        Assert.That((sent.Files, received.Files, received.Failed), Is.EqualTo(((long)Files, (long)Files, 0L)));
        Assert.That((receive.Progress.Files, receive.Progress.Bytes), Is.EqualTo(((long)Files, received.Bytes)));
        Assert.That(Arrived(), Has.Count.EqualTo(Files));
    }

    [Test]
    public async Task A_job_that_is_paused_begins_no_archive_and_goes_on_when_resumed()
    {
        Fill();
        await using var receiver = Listen();
        await using var receive = receiver.StartReceive();
        receive.Pause();
        await using var send = new BatchSender(receiver.Address, Options).StartSend(_from.Path);
        await Eventually.TrueAsync(() => send.Progress.Bytes > 300_000);
        Assert.That((Arrived().Count, receive.Progress.Bytes, receive.Completion.IsCompleted), Is.EqualTo((0, 0L, false)));
        receive.Resume();
        Assert.That((await receive.Completion.Soon()).Files, Is.EqualTo(Files));
        Assert.That((await send.Completion.Soon()).Files, Is.EqualTo(Files));
    }

    [Test]
    public async Task An_archive_under_way_stands_still_while_its_job_is_paused()
    {
        var sink = new MemorySink();
        await using var job = new ReceivingJobOf(sink);
        var begun = new TaskCompletionSource();
        sink.OnBegin = (_, _) =>
        {
            job.Handle.Pause.Pause();
            begun.SetResult();
            return Task.CompletedTask;
        };
        var receipt = job.ReceiveAsync(7, [1, 2, 3]);
        await begun.Task.Soon();
        Assert.That(job.Handle.ReadSessions().Single(), Has.Property("Path").EqualTo("archive 7").And.Property("Bytes").EqualTo(0));
        Assert.That((receipt.IsCompleted, sink.Archives.Count), Is.EqualTo((false, 0)));
        job.Handle.Pause.Resume();
        await receipt.Soon();
        Assert.That(sink.Archives[7], Is.EqualTo(new byte[] { 1, 2, 3 }));
        Assert.That(job.Handle.ReadSessions(), Is.Empty);
    }

    [Test]
    public async Task A_sender_shows_the_archive_of_each_lane()
    {
        await using var harness = new DirectHarness();
        var options = new LinkCarrierOptions { Lanes = 1, Logger = NullLogger.Instance };
        var source = new MemorySource(1, 300_000);
        var shown = new Collected<TransferLane>();
        source.OnWritten = (_, _) =>
        {
            foreach (var lane in options.Board.Read()) shown.Report(lane);
            return Task.CompletedTask;
        };
        await LinkCarrier.CarryAsync(source, DirectHarness.NewJob(), DirectHarness.Dial(harness.Address), options, default).Soon();
        Assert.That(shown.Values, Is.Not.Empty);
        Assert.That(shown.Values.Select(lane => (lane.Number, lane.Path, lane.Files)), Is.All.EqualTo((1, "archive 0", 1)));
        Assert.That(shown.Values[^1].Bytes, Is.GreaterThan(shown.Values[0].Bytes).And.LessThanOrEqualTo(300_000));
        Assert.That(options.Board.Read(), Is.Empty);
    }

    [Test]
    public async Task No_archive_begins_while_too_many_items_are_unread()
    {
        var items = new ItemLine(2);
        var sink = new MemorySink();
        await using var job = new ReceivingJobOf(sink, items);
        foreach (var path in new[] { "a", "b" }) items.Report(new ItemResult { Path = path });
        var receipt = job.ReceiveAsync(0, [1]);
        Assert.That((items.IsJobWaiting, sink.Archives.Count), Is.EqualTo((true, 0)));
        for (var i = 0; i < 2; i++) await items.ReadAsync();
        await receipt.Soon();
        Assert.That(sink.Archives, Has.Count.EqualTo(1));
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task Stopped_or_cancelled_every_file_is_old_or_new_and_the_sender_brings_the_rest_to_the_next_handle(bool stops)
    {
        Fill(replaced: true);
        await using var receiver = Listen(new BatchReceiverOptions { Overwrite = OverwriteMode.Always });
        using var cancel = new CancellationTokenSource();
        var receive = receiver.StartReceive(readItems: true, cancellationToken: cancel.Token);
        Task? ending = null;
        var confirmed = new Collected<ItemResult>();
        var context = new TransferJobContext(items: new Relay(item =>
        {
            if (item.Error is not null) return;
            confirmed.Report(item);
            ending ??= stops ? receive.StopAsync() : cancel.CancelAsync();
        }));
        var refusal = await new BatchSender(receiver.Address, Options).RunAsync(_from.Path, context).Failure<TransferException>();
        Assert.That((refusal.Error, refusal.IsTransient), Is.EqualTo((TransferError.Denied, false)));
        await ending!.Soon();
        var error = await receive.Completion.Failure<OperationCanceledException>();
        if (!stops) Assert.That(error.CancellationToken, Is.EqualTo(cancel.Token));
        var items = await receive.ReadItemsAsync().ToListAsync();
        var arrived = Arrived();
        Assert.That(arrived, Has.Count.InRange(1, Files - 1));
        Assert.That(items.Where(item => item.Error is null).Select(item => item.Path), Is.EquivalentTo(arrived), "of each is told");
        Assert.That(confirmed.Values.Select(item => item.Path), Is.SubsetOf(arrived));
        if (stops) Assert.That(confirmed.Values.Select(item => item.Path), Is.EquivalentTo(arrived), "and each was confirmed");
        foreach (var file in _from.Files.Except(arrived)) Assert.That(_to.Read(file), Has.Length.EqualTo(Old.Length), "is the old one");
        Assert.That(_to.Files.Where(file => !TemporaryNames.IsMark(file)), Is.EquivalentTo(_from.Files), "nothing half is left");

        await using var rest = receiver.StartReceive();
        var sent = await new BatchSender(receiver.Address, Options with { Resume = true }).SendAsync(_from.Path).Soon();
        Assert.That((sent.Failed, (await rest.Completion.Soon()).Failed), Is.EqualTo((0L, 0L)));
        Assert.That(Arrived(), Has.Count.EqualTo(Files));
    }

    [Test]
    public async Task Two_jobs_of_one_receiver_have_a_handle_each_and_do_not_wait_for_each_other()
    {
        Fill();
        using var other = new TempFolder();
        for (var i = 0; i < 3; i++) other.Add($"other{i}", [1, 2, 3], Time);
        await using var receiver = Listen(new BatchReceiverOptions { Keep = true });
        await using var jobs = receiver.StartReceivingAsync(readItems: true).GetAsyncEnumerator();
        var first = new BatchSender(receiver.Address, Options).SendAsync(_from.Path);
        Assert.That(await jobs.MoveNextAsync().Soon());
        await using var held = jobs.Current;
        held.Pause();
        var second = new BatchSender(receiver.Address).SendAsync(other.Path);
        Assert.That(await jobs.MoveNextAsync().Soon());
        await using var quick = jobs.Current;
        Assert.That(quick.Id, Is.Not.EqualTo(held.Id));
        var items = await quick.ReadItemsAsync().ToListAsync().Soon();
        Assert.That(items.Select(item => item.Path), Is.EquivalentTo(other.Files));
        Assert.That(((await second.Soon()).Files, (await quick.Completion.Soon()).Files), Is.EqualTo((3L, 3L)));
        Assert.That(held.Completion.IsCompleted, Is.False);
        held.Resume();
        Assert.That(await held.ReadItemsAsync().CountAsync().AsTask().Soon(), Is.EqualTo(Files));
        Assert.That(((await first.Soon()).Files, (await held.Completion.Soon()).Files), Is.EqualTo(((long)Files, (long)Files)));
    }

    [Test]
    public async Task A_handle_that_ends_before_a_sender_comes_leaves_the_job_to_the_next()
    {
        _from.Add("a", [1], Time);
        await using var receiver = Listen();
        using var cancel = new CancellationTokenSource();
        await using var cancelled = receiver.StartReceive(cancellationToken: cancel.Token);
        await using var stopped = receiver.StartReceive();
        await using var next = receiver.StartReceive();
        await cancel.CancelAsync();
        await stopped.StopAsync().Soon();
        Assert.That((await cancelled.Completion.Failure<OperationCanceledException>()).CancellationToken, Is.EqualTo(cancel.Token));
        await stopped.Completion.Failure<OperationCanceledException>();
        await new BatchSender(receiver.Address).SendAsync(_from.Path).Soon();
        Assert.That((await next.Completion.Soon()).Files, Is.EqualTo(1));
        await receiver.ReceiveAsync().Failure<InvalidOperationException>();
    }

    [Test]
    public async Task A_receiver_that_ends_fails_its_handles()
    {
        var receiver = Listen();
        var waiting = receiver.ReceiveAsync();
        await receiver.DisposeAsync();
        Assert.That((await waiting.Failure<TransferConnectionException>()).Error, Is.EqualTo(TransferError.Lost));
        Assert.That((await receiver.ReceiveAsync().Failure<TransferConnectionException>()).Error, Is.EqualTo(TransferError.Lost));
        Assert.That(await receiver.StartReceivingAsync().CountAsync(), Is.Zero);
    }

    [Test]
    public async Task A_handler_of_progress_that_throws_ends_the_job_with_its_exception()
    {
        Fill();
        await using var receiver = Listen();
        var receiving = receiver.ReceiveAsync(new Failing());
        var send = new BatchSender(receiver.Address, Options with { MaxBytesPerSecond = 1_000_000 }).SendAsync(_from.Path);
        Assert.That((await receiving.Failure<InvalidDataException>()).Message, Is.EqualTo("handler"));
        Assert.That((await send.Failure<TransferException>()).Error, Is.EqualTo(TransferError.Denied));
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_receiver_of_two_streams_ends_while_it_waits_for_its_sender(bool stops)
    {
        var (there, back) = (new Pipe(), new Pipe());
        var receive = BatchReceiver.StartReceive(_to.Path, there.Reader.AsStream(), back.Writer.AsStream(),
            new BatchReceiverOptions { AllowUnsealed = true });
        if (stops) await receive.StopAsync().Soon();
        else await receive.DisposeAsync().AsTask().Soon();
        await receive.Completion.Failure<OperationCanceledException>();
    }

    private static byte[] Old => new byte[50];

    private static BatchReceiverOptions Loopback(BatchReceiverOptions options) =>
        options with { Listen = new IPEndPoint(IPAddress.Loopback, 0) };

    private BatchReceiver Listen(BatchReceiverOptions? options = null) =>
        BatchReceiver.Listen(_to.Path, Loopback(options ?? new BatchReceiverOptions()));

    private void Fill(bool replaced = false)
    {
        for (var i = 0; i < Files; i++)
        {
            _from.Add($"d{i % 3}/f{i}", Samples.Bytes(100_000, i), Time.AddSeconds(i));
            if (replaced) _to.Add($"d{i % 3}/f{i}", Old, Time.AddDays(-1));
        }
    }

    private List<string> Arrived() =>
        [.. _from.Files.Where(file => File.Exists(_to[file]) && _from.Read(file).AsSpan().SequenceEqual(_to.Read(file)))];

    private sealed class Relay(Action<ItemResult> handler) : IProgress<ItemResult>
    {
        public void Report(ItemResult value) => handler(value);
    }

    private sealed class Failing : IProgress<TransferProgress>
    {
        public void Report(TransferProgress value) => throw new InvalidDataException("handler");
    }
}
