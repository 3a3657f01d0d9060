namespace Transfer.Engine.Scheduling;

/// <summary>One worker of a client's scheduler.</summary>
internal sealed class Worker
{
    /// <summary>Where it is. Its <see cref="Crew"/> changes that, under the scheduler's lock.</summary>
    public WorkerState State { get; set; }

    /// <summary>Its session gets nothing any more.</summary>
    public bool IsDismissed => State is WorkerState.Yielding or WorkerState.Leaving;
}
