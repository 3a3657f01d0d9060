using Microsoft.Extensions.Options;
using Quartz;

namespace Transfer.Fleet;

/// <summary>
/// Writes a plan, and puts its parts in line. Each run writes a folder of its own, and the first that is complete becomes the plan's: a run
/// that was taken for dead, and goes on, harms nothing.
/// </summary>
/// <param name="run">The run.</param>
/// <param name="store">The database.</param>
/// <param name="queue">The line.</param>
/// <param name="servers">The servers.</param>
/// <param name="options">The settings.</param>
/// <param name="logger">The log.</param>
[DisallowConcurrentExecution]
internal sealed class PlanJob(
    FleetRun run, FleetStore store, FleetQueue queue, FleetServers servers, IOptions<FleetOptions> options, ILogger<PlanJob> logger) : IJob
{
    public async ValueTask Execute(IJobExecutionContext context, CancellationToken cancellationToken = default)
    {
        var plan = context.JobDetail.Key.Group;
        await run.RunAsync(context, (found, ct) => PlanAsync(found, context, ct), cancellationToken);
        // After the run, and so also in one that finds the plan made by a worker that died just here.
        foreach (var part in await store.ReadPartsAsync(plan, cancellationToken))
        {
            if (part is { State: PartState.Queued, Part: not PartKeys.Plan }) await queue.AddAsync(plan, part.Part, cancellationToken);
        }
    }

    private async Task<JobExecutionException?> PlanAsync(FleetPlan plan, IJobExecutionContext context, CancellationToken ct)
    {
        var summary = plan.Folder is null ? await WriteAsync(plan, context, ct) : await FolderOf(plan.Folder).ReadSummaryAsync(ct);
        var outcome = new PartOutcome { Failed = summary.Failed };
        await store.EndAsync(plan.Name, PartKeys.Plan, context.FireInstanceId, PartState.Done, outcome, ct);
        FleetLog.Planned(logger, plan.Name, summary.Files, summary.Bytes, summary.Deletions);
        return null;
    }

    private async Task<PlanSummary> WriteAsync(FleetPlan plan, IJobExecutionContext context, CancellationToken ct)
    {
        var name = $"{plan.Name}/{Guid.NewGuid():N}";
        var how = new SyncOptions
        {
            Delete = plan.Delete,
            MaxDelete = plan.MaxDelete is { } most ? DeletionLimit.OfItems(most) : null,
        };
        var pair = servers.Open(plan.From, plan.To);
        var items = CountAsync(pair.PlanAsync(how, ct), plan.Name, context);
        var summary = await FolderOf(name).WriteAsync(pair.Header(how), plan.Parts, items, ct);
        await store.SetFolderAsync(plan.Name, name, summary, ct);
        return summary;
    }

    private PlanFolder FolderOf(string name) => new(Path.Combine(Path.GetFullPath(options.Value.Plans), name));

    private async IAsyncEnumerable<PlannedItem> CountAsync(
        IAsyncEnumerable<PlannedItem> items, string plan, IJobExecutionContext context)
    {
        var count = 0L;
        await foreach (var item in items)
        {
            if (item.Error is { } error) FleetLog.NotPlanned(logger, plan, item.Path, error);
            if (++count % 1000 == 0) context.ReportProgress(0, $"{count} steps");
            yield return item;
        }
    }
}
