using Transfer.Engine.Scheduling;

namespace Transfer.Engine.Files;

/// <summary>The place of one job at the client's scheduler.</summary>
/// <param name="scheduler">The scheduler.</param>
/// <param name="job">The job.</param>
internal sealed class SchedulerPlace(Scheduler scheduler, Dispatcher job) : ILinePlace
{
    public Lock Gate => scheduler.Gate;

    public void LinedLocked() => scheduler.LinedLocked(job);

    public void SignalMoreLocked(int files) => scheduler.SignalMoreLocked(files);

    public void StartWorkersLocked() => scheduler.StartWorkersLocked();

    public void DismissWaitingLocked() => scheduler.DismissWaitingLocked();

    public void UnsettledLocked(int change) => scheduler.UnsettledLocked(change);

    public void RemoveLocked() => scheduler.Remove(job);
}
