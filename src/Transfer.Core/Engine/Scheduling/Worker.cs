namespace Transfer.Engine.Scheduling;

/// <summary>One worker of a client's scheduler.</summary>
internal sealed class Worker
{
    /// <summary>The state of the worker. The <see cref="Crew"/> changes the state, under the scheduler's lock.</summary>
    public WorkerState State { get; set; }

    /// <summary>Whether the worker's session gets no more files.</summary>
    public bool IsDismissed => State is WorkerState.Yielding or WorkerState.Surplus;
}
