using Quartz;

namespace Transfer.Fleet;

/// <summary>The line and the workers as Quartz' tables have them at one moment.</summary>
/// <param name="Workers">The workers.</param>
/// <param name="Firings">The firings, by their identity.</param>
/// <param name="Triggers">The triggers that wait, by their job.</param>
internal sealed record FleetLine(
    IReadOnlyList<ClusterNode> Workers, IReadOnlyDictionary<string, FireInstance> Firings, ILookup<JobKey, TriggerHeader> Triggers)
{
    private const int Page = 500;

    /// <summary>Reads both.</summary>
    public static async Task<FleetLine> ReadAsync(IScheduler scheduler, CancellationToken ct)
    {
        var triggers = new List<TriggerHeader>();
        PagedResult<TriggerHeader> some;
        do
        {
            some = await scheduler.QueryTriggers(new TriggerQuery { Skip = triggers.Count, Take = Page }, ct);
            triggers.AddRange(some.Items);
        }
        while (some.HasMore && some.Items.Count > 0);
        // After the triggers: a step that begins in between is seen in both, and a firing counts first.
        var firings = new Dictionary<string, FireInstance>(StringComparer.Ordinal);
        PagedResult<FireInstance> fires;
        var read = 0;
        do
        {
            fires = await scheduler.QueryFireInstances(new FireInstanceQuery { Skip = read, Take = Page }, ct);
            foreach (var firing in fires.Items) firings[firing.FireInstanceId] = firing;
            read += fires.Items.Count;
        }
        while (fires.HasMore && fires.Items.Count > 0);
        return new(
            await scheduler.QueryClusterNodes(ct), firings,
            triggers.Where(trigger => trigger.NextFireTimeUtc is not null).ToLookup(trigger => trigger.JobKey));
    }

    /// <summary>Whether a worker lives.</summary>
    public bool IsAlive(string worker) =>
        Workers.Any(node => node.InstanceId == worker && node.State != ClusterNodeState.Failed);

    /// <summary>The number of steps that a worker runs: none once it has died.</summary>
    public int RunningOn(string worker) =>
        IsAlive(worker) ? Firings.Values.Count(firing => firing.SchedulerInstanceId == worker) : 0;
}
