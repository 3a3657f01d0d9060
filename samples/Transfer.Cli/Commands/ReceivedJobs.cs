using Transfer.Batch;

namespace Transfer.Cli.Commands;

/// <summary>The jobs of a receiver that goes on (<c>--keep</c>), any number at once: each is shown as it runs, and has an
/// outcome.</summary>
internal sealed class ReceivedJobs(Invocation invocation, string folder, BatchReceiver receiver)
{
    // A job makes a snapshot about as often.
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(100);

    /// <summary>Follows each job that begins, until interrupted; jobs under way then end, and say how far they came.</summary>
    public async Task<int> RunAsync(CancellationToken ct)
    {
        using var turn = new SemaphoreSlim(1);
        var jobs = new List<Task>();
        try
        {
            await foreach (var job in receiver.StartReceivingAsync(readItems: true, ct))
            {
                jobs.RemoveAll(task => task.IsCompletedSuccessfully);
                jobs.Add(FollowAsync(job, turn, ct));
            }
        }
        finally
        {
            await Task.WhenAll(jobs);
        }

        return ExitCode.Done;
    }

    private async Task FollowAsync(TransferJob job, SemaphoreSlim turn, CancellationToken ct)
    {
        using var runner = new TransferRunner(invocation, parallel: 1) { Turn = turn };
        var step = TransferStep.Job(folder, [], TransferStep.Prefix(folder), run =>
        {
            _ = RelayAsync(job, run.Progress);
            return job;
        });
        await runner.RunAsync("Receiving", _ => Task.FromResult<IReadOnlyList<TransferStep>>([step]), ct);
    }

    private async Task RelayAsync(TransferJob job, IProgress<TransferProgress> progress)
    {
        while (!job.Completion.IsCompleted)
        {
            progress.Report(job.Progress);
            await Task.WhenAny(job.Completion, Task.Delay(Interval, invocation.Host.TimeProvider));
        }
    }
}
