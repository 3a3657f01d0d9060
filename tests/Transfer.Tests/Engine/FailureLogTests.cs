using System.Net;
using Microsoft.Extensions.Logging;
using Transfer.Batch;

namespace Transfer.Tests.Engine;

/// <summary>Each failure has one line of the log, at Warning, with path and kind.</summary>
[TestFixture]
public sealed class FailureLogTests
{
    private LogLines _log = null!;
    private MemoryStore _store = null!;
    private TempFolder _local = null!;
    private MemoryTransferClient _client = null!;

    [SetUp]
    public void Open()
    {
        (_log, _store, _local) = (new LogLines(LogLevel.Warning), new MemoryStore(), new TempFolder());
        _client = new MemoryTransferClient(_store, new TransferClientOptions { LoggerFactory = _log });
    }

    [TearDown]
    public async Task Close()
    {
        await _client.DisposeAsync();
        _local.Dispose();
        _log.Dispose();
    }

    [Test]
    public async Task A_file_of_a_folder()
    {
        _local.Add("good", [1]);
        _local.Add("refused", [2]);
        _store.Faults.On("uploaded", Fault.Refusal(TransferError.Denied), path: path => path == "/in/refused");
        var result = await _client.UploadDirectoryAsync(_local.Path, "/in").Soon();
        Assert.That(result.Failed, Is.EqualTo(1));
        AssertLine("ItemFailed", "refused failed: Denied: ");
    }

    [Test]
    public async Task A_single_file()
    {
        await _client.DownloadAsync("/absent", new MemoryStream()).Failure<TransferException>();
        AssertLine("ItemFailed", "absent failed: NotFound: ");
    }

    [Test]
    public async Task A_listing()
    {
        await _client.ListAsync("/absent").ToListAsync().AsTask().Failure<TransferException>();
        AssertLine("OperationFailed", "list of /absent failed: NotFound: ");
    }

    [Test]
    public async Task A_new_folder()
    {
        _store.Faults.On("mkdir", Fault.Refusal(TransferError.Denied));
        await _client.CreateDirectoryAsync("/new").AsTask().Failure<TransferException>();
        AssertLine("OperationFailed", "mkdir of /new failed: Denied: ");
    }

    [Test]
    public async Task A_move()
    {
        await _client.MoveAsync("/absent", "/there").AsTask().Failure<TransferException>();
        AssertLine("OperationFailed", "move of /absent failed: NotFound: ");
    }

    [Test]
    public async Task A_connection()
    {
        _store.Faults.On("open", Fault.Refusal(TransferError.Auth));
        await _client.ConnectAsync().AsTask().Failure<TransferException>();
        AssertLine("OperationFailed", "connect of memory://");
    }

    [Test]
    public async Task A_file_of_a_batch_on_both_sides()
    {
        using var to = new TempFolder();
        _local.Add("there", [1]);
        _local.Add("new", [2]);
        to.Add("there", [3]);
        using var received = new LogLines(LogLevel.Warning);
        await using var receiver = BatchReceiver.Listen(to.Path,
            new BatchReceiverOptions
            {
                Listen = new IPEndPoint(IPAddress.Loopback, 0),
                LoggerFactory = received,
                Overwrite = OverwriteMode.Fail,
            });
        var receiving = receiver.ReceiveAsync();
        var sent = await new BatchSender(receiver.Address, new BatchSenderOptions { LoggerFactory = _log }).SendAsync(_local.Path).Soon();
        await receiving.Soon();
        Assert.That(sent.Failed, Is.EqualTo(1));
        AssertLine("ItemFailed", "there failed: Exists: ");
        Assert.That(received.All.Count(line => line.Event == "ItemFailed" && line.Text.StartsWith("there failed: Exists: ",
            StringComparison.Ordinal)), Is.EqualTo(1));
    }

    private void AssertLine(string name, string start)
    {
        Assert.That(_log.All.Select(line => line.Event), Is.EqualTo(new[] { name }), string.Join('\n', _log.All));
        var (level, _, text) = _log.All.Single();
        Assert.That(level, Is.EqualTo(LogLevel.Warning));
        Assert.That(text, Does.StartWith(start));
    }
}
