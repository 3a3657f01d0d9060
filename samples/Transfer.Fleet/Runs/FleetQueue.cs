using Quartz;

namespace Transfer.Fleet;

/// <summary>The line of steps: a durable job each in Quartz, recovered by another worker when its own dies.</summary>
/// <param name="schedulers">The scheduler.</param>
internal sealed class FleetQueue(ISchedulerFactory schedulers)
{
    /// <summary>Puts a step in line, unless it waits there.</summary>
    public async Task AddAsync(string plan, string part, CancellationToken ct)
    {
        var scheduler = await schedulers.GetScheduler(ct);
        var key = PartKeys.JobOf(plan, part);
        var job = part == PartKeys.Plan ? Job<PlanJob>(key) : Job<PartJob>(key);
        await scheduler.AddJob(job, AddJobOptions.Replacing, ct);
        // A trigger that has fired keeps its key until its job ends: a step that goes back in line while it runs has another one.
        var fires = await scheduler.QueryFireInstances(new FireInstanceQuery { Job = key, Take = 1 }, ct);
        var trigger = fires.Items.Count == 0 ? key.Name : $"{key.Name}-{Guid.NewGuid():N}";
        await scheduler.ScheduleTrigger(
            TriggerBuilder.Create().WithIdentity(trigger, key.Group).ForJob(key).StartNow().Build(), TriggerConflict.Keep, ct);
    }

    private static IJobDetail Job<T>(JobKey key)
        where T : IJob => JobBuilder.Create<T>().WithIdentity(key).RequestRecovery().StoreDurably().Build();
}
