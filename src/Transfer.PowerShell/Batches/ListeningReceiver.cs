using Transfer.Batch;

namespace Transfer.PowerShell.Batches;

/// <summary>A receiver of one batch.</summary>
internal static class ListeningReceiver
{
    /// <summary>Begins to listen. The job ends with the batch, and the listening with the job.</summary>
    /// <returns>The job, and the address for the sender, with the token.</returns>
    public static (TransferJob Job,
        string Address) Start(string folder, BatchReceiverOptions options, IProgress<TransferProgress> progress, CancellationToken ct)
    {
        var receiver = BatchReceiver.Listen(folder, options);
        return (TransferJob.Start(job => ReceiveAsync(receiver, job), readItems: true, progress, ct), receiver.Address.ToText());
    }

    private static async Task<JobResult> ReceiveAsync(BatchReceiver receiver, TransferJobContext job)
    {
        // Also at an early end: files that have arrived stay, and the sender learns that no more are accepted.
        await using var receiverEnd = receiver.ConfigureAwait(false);
        return await job.RunAsync((readItems, token) => receiver.StartReceive(readItems, job.Progress, token)).ConfigureAwait(false);
    }
}
