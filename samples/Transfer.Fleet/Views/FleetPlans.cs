using Quartz;

namespace Transfer.Fleet;

/// <summary>
/// Plans as they are now: what has ended from the tables of the fleet, what runs and what waits from those of Quartz, so that a worker that
/// has died runs nothing here either.
/// </summary>
/// <param name="schedulers">The scheduler.</param>
/// <param name="store">The database.</param>
/// <param name="queue">The line.</param>
/// <param name="time">The clock.</param>
internal sealed class FleetPlans(ISchedulerFactory schedulers, FleetStore store, FleetQueue queue, TimeProvider time)
{
    /// <summary>Submits a plan; false: there is one of that name.</summary>
    public async Task<bool> SubmitAsync(PlanRequest request, CancellationToken ct)
    {
        if (!await store.AddPlanAsync(request, ct)) return false;
        await queue.AddAsync(request.Name, PartKeys.Plan, ct);
        return true;
    }

    /// <summary>Puts a step in line again; null: there is none; false: it runs, waits or is done.</summary>
    public async Task<bool?> RetryAsync(string plan, string part, CancellationToken ct)
    {
        var parts = (await ReadPartsAsync(plan, ct)).Select(one => one.View);
        if (parts.FirstOrDefault(view => view.Part == part) is not { } step) return null;
        if (!step.CanRetry || !await store.QueueAsync(plan, part, ct)) return false;
        await queue.AddAsync(plan, part, ct);
        return true;
    }

    /// <summary>Reads the workers.</summary>
    public async Task<IEnumerable<WorkerView>> ReadWorkersAsync(CancellationToken ct)
    {
        var line = await FleetLine.ReadAsync(await schedulers.GetScheduler(ct), ct);
        return line.Workers.OrderBy(node => node.InstanceId, StringComparer.Ordinal).Select(
            node => new WorkerView(node.InstanceId, node.State, node.IsCurrentNode, node.LastCheckInUtc, line.RunningOn(node.InstanceId)));
    }

    /// <summary>Reads all plans, the newest first, without their steps.</summary>
    public async Task<IEnumerable<PlanView>> ReadAsync(CancellationToken ct)
    {
        var parts = (await ReadPartsAsync(plan: null, ct)).ToLookup(part => part.Plan, part => part.View);
        return (await store.ReadPlansAsync(ct)).Select(plan => PlanView.Of(plan, [.. parts[plan.Name]]) with { Parts = [] });
    }

    /// <summary>Reads a plan; null: there is none.</summary>
    public async Task<PlanView?> ReadAsync(string name, CancellationToken ct) => await store.FindPlanAsync(name, ct) is { } plan
        ? PlanView.Of(plan, [.. (await ReadPartsAsync(name, ct)).Select(part => part.View)]) : null;

    // Quartz has a run from before its begin to after its end in the fleet's table. So a run that the table has before and after, and
    // Quartz has not in between, is nobody's.
    private async Task<IEnumerable<(string Plan, PartView View)>> ReadPartsAsync(string? plan, CancellationToken ct)
    {
        var before = (await store.ReadPartsAsync(plan, ct)).Select(part => (part.Plan, part.Part, part.Firing, part.State)).ToHashSet();
        var line = await FleetLine.ReadAsync(await schedulers.GetScheduler(ct), ct);
        return (await store.ReadPartsAsync(plan, ct)).Select(
            part => (part.Plan, ViewOf(part, line, before.Contains((part.Plan, part.Part, part.Firing, part.State)))));
    }

    private PartView ViewOf(FleetPart part, FleetLine line, bool isSettled)
    {
        var firing = part.State == PartState.Running ? line.Firings.GetValueOrDefault(part.Firing!) : null;
        var trigger = line.Triggers[PartKeys.JobOf(part.Plan, part.Part)].MinBy(waiting => waiting.NextFireTimeUtc);
        var isFired = line.Firings.Values.Any(one => one.JobKey == PartKeys.JobOf(part.Plan, part.Part));
        var isInLine = trigger is not null || isFired;
        var state = part.State switch
        {
            PartState.Done => ViewState.Done,
            PartState.Open => ViewState.Open,
            PartState.Running when firing is not null => line.IsAlive(firing.SchedulerInstanceId) ? ViewState.Running : ViewState.Lost,
            PartState.Running when !isInLine => isSettled ? ViewState.Lost : ViewState.Running,
            PartState.Failed when !isInLine => ViewState.Failed,
            _ => isInLine || !isSettled ? ViewState.Waiting : ViewState.Idle,
        };
        var again = trigger?.NextFireTimeUtc is { } next && next > time.GetUtcNow() ? trigger.NextFireTimeUtc : null;
        var canRetry = !isInLine && isSettled && state is ViewState.Failed or ViewState.Lost or ViewState.Idle;
        var run = state == ViewState.Running ? firing : null;
        return new(part.Part, state, part.Worker, part.Attempts, run?.Progress, run?.ProgressMessage, again, canRetry, part.Outcome);
    }
}
