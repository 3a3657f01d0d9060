using System.Net;
using Transfer.Batch;

namespace Transfer.Tests.Batch.Direct;

/// <summary>The gentle end of a sender to a receiver: what was begun is confirmed, and the receiver waits for the rest.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class SendFinishTests : IDisposable
{
    private const int Files = 80;
    private static readonly DateTimeOffset Time = new(2024, 5, 6, 7, 8, 9, TimeSpan.Zero);

    private readonly TempFolder _from = new();
    private readonly TempFolder _to = new();
    private readonly TempFolder _state = new();
    private readonly CancellationTokenSource _finish = new();
    private readonly Collected<ItemResult> _items = new();

    public void Dispose()
    {
        _finish.Dispose();
        _state.Dispose();
        _to.Dispose();
        _from.Dispose();
    }

    [TestCase(1, false)]
    [TestCase(4, false)]
    [TestCase(2, true, Description = "The receiver is asked for hashes of what it has.")]
    public async Task What_was_begun_is_confirmed_and_one_that_takes_one_job_only_still_takes_the_rest(int sessions, bool replaces)
    {
        for (var i = 0; i < Files; i++)
        {
            _from.Add($"d{i % 3}/f{i}", Samples.Bytes(100_000, i), Time.AddSeconds(i));
            if (replaces) _to.Add($"d{i % 3}/f{i}", Samples.Bytes(100_000, i + 1000), Time.AddDays(-1));
        }
        var told = replaces ? OverwriteMode.Always : OverwriteMode.Fail;
        await using var receiver = BatchReceiver.Listen(_to.Path,
            new BatchReceiverOptions { Listen = new IPEndPoint(IPAddress.Loopback, 0), Overwrite = told });
        var receiving = receiver.ReceiveAsync();
        var options = new BatchSenderOptions
        {
            Sessions = sessions,
            ArchiveBytes = 200_000,
            Journal = _state["journal"],
        };
        var context = Context(item =>
        {
            _items.Report(item);
            _finish.Cancel();
        });
        var error = await new BatchSender(receiver.Address, options).RunAsync(_from.Path, context).Failure<OperationCanceledException>();
        Assert.That(error.CancellationToken, Is.EqualTo(_finish.Token));
        Assert.That(_items.Values.Select(item => item.Error), Is.All.Null);
        var done = Same();
        Assert.That(_items.Values.Select(item => item.Path).Order(StringComparer.Ordinal), Is.EqualTo(done));
        Assert.That(done, Has.Count.InRange(1, Files - 1));
        Assert.That(receiving.IsCompleted, Is.False, "it waits for the rest");

        var rest = await new BatchSender(receiver.Address, options with { Resume = true }).SendAsync(_from.Path).Soon();
        Assert.That((rest.Files, rest.Failed), Is.EqualTo(((long)Files - done.Count, 0L)));
        Assert.That((await receiving.Soon()).Files, Is.EqualTo(rest.Files));
        Assert.That(Same(), Has.Count.EqualTo(Files));
        Assert.That(File.Exists(_state["journal"]), Is.False, "there is nothing to continue");
    }

    [Test]
    public async Task Where_everything_was_under_way_it_ends_as_ever()
    {
        for (var i = 0; i < 3; i++) _from.Add($"f{i}", [1, 2], Time);
        await using var receiver = BatchReceiver.Listen(_to.Path,
            new BatchReceiverOptions { Listen = new IPEndPoint(IPAddress.Loopback, 0) });
        var receiving = receiver.ReceiveAsync();
        var result = await new BatchSender(receiver.Address).RunAsync(_from.Path, Context(_ => _finish.Cancel())).Soon();
        Assert.That((result.Files, (await receiving.Soon()).Files, _finish.IsCancellationRequested), Is.EqualTo((3L, 3L, true)));
    }

    [Test]
    public async Task What_is_to_end_before_it_begins_sends_nothing()
    {
        _from.Add("f", [1], Time);
        await using var receiver = BatchReceiver.Listen(_to.Path,
            new BatchReceiverOptions { Listen = new IPEndPoint(IPAddress.Loopback, 0) });
        await _finish.CancelAsync();
        var error = await new BatchSender(receiver.Address).RunAsync(_from.Path,
            Context(_items.Report)).Failure<OperationCanceledException>();
        Assert.That((error.CancellationToken, _items.Values.Count), Is.EqualTo((_finish.Token, 0)));
        Assert.That(_to.Files.Where(file => !TemporaryNames.IsMark(file)), Is.Empty);
    }

    private TransferJobContext Context(Action<ItemResult> items) => new(items: new Relay(items), stopping: _finish.Token);

    private List<string> Same() =>
        [.. _from.Files.Where(file => File.Exists(_to[file]) && _from.Read(file).AsSpan().SequenceEqual(_to.Read(file)))
            .Order(StringComparer.Ordinal)];

    private sealed class Relay(Action<ItemResult> handler) : IProgress<ItemResult>
    {
        public void Report(ItemResult value) => handler(value);
    }
}
