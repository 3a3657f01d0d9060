namespace Transfer.Engine.Scheduling;

/// <summary>The state of a worker of a client's scheduler.</summary>
internal enum WorkerState
{
    /// <summary>The worker has no session yet, or none any more.</summary>
    Waiting,

    /// <summary>The session takes files.</summary>
    Working,

    /// <summary>The session gets no more files, and returns because another caller waits for one.</summary>
    Yielding,

    /// <summary>The session gets no more files, and returns because there are more than are allowed.</summary>
    Surplus,
}
