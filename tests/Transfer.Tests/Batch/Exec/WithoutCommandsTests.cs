using System.Diagnostics;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Batch.Exec;

/// <summary>Directories to and from servers that run no commands: nothing stands in front of the client's own methods.</summary>
[TestFixture]
public sealed class WithoutCommandsTests
{
    private MemoryStore _store = null!;
    private TempFolder _local = null!;

    [SetUp]
    public void Make()
    {
        (_store, _local) = (new MemoryStore(), new TempFolder());
        _local.Add("f", [1, 2, 3]);
    }

    [TearDown]
    public void Remove() => _local.Dispose();

    [Test]
    public async Task The_directory_goes_file_by_file_as_one_operation_of_the_client()
    {
        await using var client = new MemoryTransferClient(_store, endpoint: $"memory://host-{Guid.NewGuid():N}/");
        var operations = new List<string>();
        using var activities = new ActivityListener
        {
            ShouldListenTo = source => source.Name == "Transfer",
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStopped = activity =>
            {
                lock (operations)
                {
                    if (Equals(activity.GetTagItem("server.address"), client.Endpoint.Host))
                        operations.Add(activity.OperationName);
                }
            },
        };
        ActivitySource.AddActivityListener(activities);
        var up = await client.UploadDirectoryAsync(_local.Path, "/t", new BatchOptions()).Soon();
        var down = await client.DownloadDirectoryAsync("/t", _local["down"], new BatchOptions()).Soon();
        Assert.That((up.Way, up.Reason, up.Files, up.Alone), Is.EqualTo((BatchWay.Files, "the server runs no commands", 1L, 0)));
        Assert.That((down.Way, down.Reason, down.Files, down.Alone), Is.EqualTo((BatchWay.Files, "the server runs no commands", 1L, 0)));
        Assert.That(operations, Is.EqualTo(new[] { "upload_directory", "download_directory" }));
        Assert.That(_local.Read("down/f"), Is.EqualTo(new byte[] { 1, 2, 3 }));
    }

    [Test]
    public async Task A_batch_that_must_be_is_refused_and_nothing_is_connected()
    {
        await using var client = new MemoryTransferClient(_store);
        var options = new BatchOptions { Mode = BatchMode.Always };
        var up = await client.UploadDirectoryAsync(_local.Path, "/t", options).Failure<TransferException>();
        var down = await client.DownloadDirectoryAsync("/t", _local["down"], options).Failure<TransferException>();
        Assert.That((up.Error, down.Error), Is.EqualTo((TransferError.Unsupported, TransferError.Unsupported)));
        Assert.That(up.Message, Is.EqualTo("The folder can't go in a batch: the server runs no commands."));
        Assert.That(_store.Opened, Is.Zero);
    }
}
