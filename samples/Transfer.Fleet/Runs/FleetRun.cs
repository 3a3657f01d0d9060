using System.Diagnostics;
using Quartz;

namespace Transfer.Fleet;

/// <summary>A run of a step: its begin and end in the database, its failure, and its way back in line when the worker stops.</summary>
/// <param name="store">The database.</param>
/// <param name="queue">The line.</param>
/// <param name="metrics">The counters.</param>
/// <param name="logger">The log.</param>
internal sealed class FleetRun(FleetStore store, FleetQueue queue, FleetMetrics metrics, ILogger<FleetRun> logger)
{
    /// <summary>Runs a step, unless it is done.</summary>
    /// <param name="context">The firing.</param>
    /// <param name="work">The work; returns why it has failed, or null.</param>
    /// <param name="ct">Signals that the worker stops.</param>
    /// <exception cref="JobExecutionException">The step has failed, and Quartz is to run it again as the retries allow.</exception>
    public async Task RunAsync(
        IJobExecutionContext context, Func<FleetPlan, CancellationToken, Task<JobExecutionException?>> work, CancellationToken ct)
    {
        var (plan, part) = (context.JobDetail.Key.Group, context.JobDetail.Key.Name);
        var firing = context.FireInstanceId;
        if (!await store.BeginAsync(plan, part, context.Scheduler.SchedulerInstanceId, firing, ct)) return;
        if (context.Recovering) FleetLog.Recovered(logger, plan, part);
        var (began, outcome) = (Stopwatch.GetTimestamp(), "failed");
        metrics.Begin();
        try
        {
            var found = await store.FindPlanAsync(plan, ct) ?? throw new InvalidOperationException($"There is no plan {plan}.");
            if (await work(found, ct) is { } failure) throw failure;
            outcome = "done";
        }
        catch (OperationCanceledException) when (ct.IsCancellationRequested)
        {
            // The worker stops in good order: nothing would recover the step, since Quartz takes its job for ended.
            outcome = "stopped";
            await queue.AddAsync(plan, part, CancellationToken.None);
            await store.EndAsync(plan, part, firing, PartState.Queued, error: null, CancellationToken.None);
        }
        catch (Exception e) when (e is not JobExecutionException)
        {
            FleetLog.Failed(logger, plan, part, e);
            await store.EndAsync(plan, part, firing, PartState.Failed, e, CancellationToken.None);
            if (e is not TransferException { IsTransient: false }) throw new JobExecutionException(e.Message, e);
        }
        finally
        {
            metrics.End(outcome, context.Recovering, Stopwatch.GetElapsedTime(began));
        }
    }
}
