using System.Net;
using Microsoft.Extensions.Logging;
using Transfer.Batch;
using Transfer.Local;
using Transfer.Tests.Local;

namespace Transfer.Tests.Engine.Journal;

/// <summary>A full disk for journals: a job that continues none goes on without.</summary>
[Platform("Linux")]
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class FullDiskTests : IDisposable
{
    private const int NoRoom = 28;

    private readonly TempFolder _state = new();
    private readonly TempFolder _local = new();
    private readonly LogLines _log = new(LogLevel.Warning);

    private string Journal => _state["job.journal"];

    public void Dispose()
    {
        _log.Dispose();
        _local.Dispose();
        _state.Dispose();
    }

    [Test]
    public async Task A_job_goes_on_without_a_journal_and_warns([Values] bool opens)
    {
        var call = opens ? DiskCall.Write : DiskCall.Open;
        var store = new MemoryStore();
        await using var client = new MemoryTransferClient(store, new() { LoggerFactory = _log });
        _local.Add("f", [1]);
        using var script = new DiskScript(_state.Path, (made, _, _) => made == call ? NoRoom : 0);
        var result = await client.UploadDirectoryAsync(_local.Path, "/t", new() { Journal = Journal }).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 0L)));
        Assert.That(_log.All.Select(line => line.Event), Is.EqualTo(new[] { "NoJournal" }));
    }

    [Test]
    public async Task A_job_that_is_to_be_continued_needs_its_journal()
    {
        await using var client = new MemoryTransferClient(new MemoryStore());
        _local.Add("f", [1]);
        using var script = new DiskScript(_state.Path, (made, _, _) => made == DiskCall.Write ? NoRoom : 0);
        var error = await client.UploadDirectoryAsync(_local.Path, "/t", new() { Journal = Journal, Resume = true })
            .Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Quota));
    }

    [Test]
    public async Task A_folder_goes_to_a_receiver_without_a_journal()
    {
        using var to = new TempFolder();
        _local.Add("f", [1]);
        await using var receiver = BatchReceiver.Listen(to.Path, new() { Listen = new IPEndPoint(IPAddress.Loopback, 0) });
        var receiving = receiver.ReceiveAsync();
        using var script = new DiskScript(_state.Path, (made, _, _) => made == DiskCall.Write ? NoRoom : 0);
        var options = new BatchSenderOptions { Journal = Journal, LoggerFactory = _log };
        Assert.That((await new BatchSender(receiver.Address, options).SendAsync(_local.Path).Soon()).Files, Is.EqualTo(1));
        await receiving.Soon();
        Assert.That(_log.All.Select(line => line.Event), Is.EqualTo(new[] { "NoJournal" }));
    }
}
