using Transfer.Batch.Carriers;
using Transfer.Batch.Carriers.Link;
using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.TestSupport.Batch;

/// <summary>A job of a sink that a handle runs, without connections.</summary>
internal sealed class ReceivingJobOf : IAsyncDisposable
{
    private readonly ReceivingJob _job;
    private readonly LaneWork _work;

    public ReceivingJobOf(MemorySink sink, IProgress<ItemResult>? items = null)
    {
        Handle = new TransferJobContext(items: items);
        _job = new ReceivingJob(DirectHarness.NewJob(), sink, TimeProvider.System);
        Completion = _job.RunAsync(Handle);
        _work = _job.AddWork();
    }

    public TransferJobContext Handle { get; }

    public Task<JobResult> Completion { get; }

    public Task<ArchiveReceipt> ReceiveAsync(long index, byte[] archive, long settledBelow = 0) =>
        _job.ReceiveAsync(new ArchiveBeginMessage(index, settledBelow), new MemoryStream(archive), _work, default).AsTask();

    public async Task EndAsync(long givenUp) => await _job.EndAsync(givenUp, default);

    public void Close() => _job.Close();

    public async ValueTask DisposeAsync()
    {
        _work.Dispose();
        await _job.DisposeAsync();
    }
}
