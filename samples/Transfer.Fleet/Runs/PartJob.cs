using Microsoft.Extensions.Options;
using Quartz;

namespace Transfer.Fleet;

/// <summary>
/// Applies a part or the last phase, and puts the last phase in line after the last part. A part that was killed is applied again by
/// another worker, which confirms the files that have arrived.
/// </summary>
/// <param name="run">The run.</param>
/// <param name="store">The database.</param>
/// <param name="queue">The line.</param>
/// <param name="servers">The servers.</param>
/// <param name="options">The settings.</param>
/// <param name="logger">The log.</param>
[DisallowConcurrentExecution]
internal sealed class PartJob(
    FleetRun run, FleetStore store, FleetQueue queue, FleetServers servers, IOptions<FleetOptions> options, ILogger<PartJob> logger) : IJob
{
    public async ValueTask Execute(IJobExecutionContext context, CancellationToken cancellationToken = default)
    {
        var plan = context.JobDetail.Key.Group;
        await run.RunAsync(context, (found, ct) => ApplyAsync(found, context, ct), cancellationToken);
        // After the run, and so also in one that finds the part done by a worker that died just here.
        if (await store.QueueFinalAsync(plan, cancellationToken)) await queue.AddAsync(plan, PartKeys.Final, cancellationToken);
    }

    private async Task<JobExecutionException?> ApplyAsync(FleetPlan plan, IJobExecutionContext context, CancellationToken ct)
    {
        var part = context.JobDetail.Key.Name;
        var folder = new PlanFolder(Path.Combine(Path.GetFullPath(options.Value.Plans), plan.Folder!));
        var manifest = await PlanManifest.OpenAsync(PartKeys.ManifestOf(folder, part), ct);
        var pair = servers.Open(plan.From, plan.To);
        await pair.StartApply(manifest, new PartProgress(context), ct).Completion;
        var result = await PartResult.ReadAsync(manifest.ResultPath, ct)
            ?? throw new TransferException(TransferError.NotFound, $"{manifest.ResultPath} is missing after the run.");
        var isDone = result.IsDone && (result.Failed == 0 || part != PartKeys.Final);
        await store.EndAsync(
            plan.Name, part, context.FireInstanceId, isDone ? PartState.Done : PartState.Failed, PartOutcome.Of(result), ct);
        FleetLog.Applied(logger, plan.Name, part, result.Files, result.Unchanged, result.Failed);
        return isDone ? null : new JobExecutionException($"{result.Failed} items of {plan.Name}, {part}, have failed.");
    }
}
