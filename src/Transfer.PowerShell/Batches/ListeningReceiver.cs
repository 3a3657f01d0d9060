using Transfer.Batch;

namespace Transfer.PowerShell.Batches;

/// <summary>A receiver that runs its one batch as a job, like the jobs of other commands.</summary>
internal sealed class ListeningReceiver
{
    private readonly TaskCompletionSource<TransferJobContext> _job = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly BatchReceiver _receiver;

    private ListeningReceiver(string folder, BatchReceiverOptions options)
    {
        var relay = new JobRelay(_job.Task);
        _receiver = BatchReceiver.Listen(folder, options with { Items = relay, Progress = relay });
    }

    /// <summary>Begins to listen. The job ends with the batch, and the listening with the job.</summary>
    /// <returns>The job, and the address for the sender, with the token.</returns>
    public static (TransferJob Job,
        string Address) Start(string folder, BatchReceiverOptions options, IProgress<TransferProgress> progress, CancellationToken ct)
    {
        var receiver = new ListeningReceiver(folder, options);
        return (TransferJob.Start(receiver.ReceiveAsync, readItems: true, progress, ct), receiver._receiver.Address.ToText());
    }

    private async Task<JobResult> ReceiveAsync(TransferJobContext job)
    {
        // Also at an early end: files that have arrived stay, and the sender learns that no more are accepted.
        await using var receiverEnd = _receiver.ConfigureAwait(false);
        _job.SetResult(job);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(job.CancellationToken, job.Stopping);
        return await _receiver.ReceiveAsync(stop.Token).ConfigureAwait(false);
    }

    /// <summary>Passes the receiver's reports on to the job, which exists a moment later than the receiver.</summary>
    private sealed class JobRelay(Task<TransferJobContext> job) : IProgress<ItemResult>, IProgress<TransferProgress>
    {
        public void Report(ItemResult value)
        {
            var context = job.GetAwaiter().GetResult();
            context.Items?.Report(value);
            // A receiver does not wait for the readers of items: slow readers would let memory grow.
            var room = context.WhenItemsAreReadAsync(context.CancellationToken);
            if (!room.IsCompleted) room.AsTask().ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing).GetAwaiter().GetResult();
        }

        public void Report(TransferProgress value) => job.GetAwaiter().GetResult().Progress.Report(value);
    }
}
