using Transfer.Cli.Output;

namespace Transfer.Cli.Commands;

/// <summary>What a step runs with.</summary>
/// <param name="progress">Gets the bytes.</param>
/// <param name="jobs">Those that run.</param>
/// <param name="isDry">Nothing is moved: no item is under way at an interruption.</param>
/// <param name="interrupted">Fires when nothing more is to begin.</param>
/// <param name="abort">Fires when what is under way is given up too.</param>
internal sealed class StepRun(IProgress<TransferProgress> progress, RunningJobs jobs, bool isDry, CancellationToken interrupted,
    CancellationToken abort)
{
    public IProgress<TransferProgress> Progress => progress;

    /// <summary>Fires when what is under way is given up too.</summary>
    public CancellationToken Abort => abort;

    /// <summary>Follows a job of many items to its end. Interrupted, it begins nothing more.</summary>
    /// <param name="job">The job, whose items are kept.</param>
    /// <param name="each">Receives each item.</param>
    public async Task<JobResult> FollowAsync(TransferJob job, Action<ItemResult> each)
    {
        await using var end = job;
        using var shown = jobs.Show(job);
        await using var stop = interrupted.UnsafeRegister(static job => _ = ((TransferJob)job!).StopAsync(), job);
        await foreach (var item in job.ReadItemsAsync())
        {
            if (isDry) interrupted.ThrowIfCancellationRequested();
            each(item);
        }
        return await job.Completion;
    }

    /// <summary>Follows a job of one file to its end. Interrupted, it goes on: it is under way.</summary>
    /// <param name="job">The job, whose item is kept.</param>
    /// <returns>The file as the item of its job.</returns>
    public async Task<ItemResult> FollowFileAsync(TransferJob job)
    {
        await using var end = job;
        using var shown = jobs.Show(job);
        var (file, whole) = ((ItemResult?)null, await job.Completion);
        await foreach (var item in job.ReadItemsAsync()) file = item;
        file ??= new ItemResult { Path = string.Empty, Result = new TransferResult() };
        return file with { Result = file.Result! with { Kept = whole.Kept } };
    }
}
