namespace Transfer.Engine.Scheduling;

/// <summary>Where a worker of a client's scheduler is on its way.</summary>
internal enum WorkerState
{
    /// <summary>It has no session yet, or none any more.</summary>
    Coming,

    /// <summary>Its session takes files.</summary>
    Working,

    /// <summary>Its session gets nothing any more, and is on its way back because somebody waits for one.</summary>
    Yielding,

    /// <summary>Its session gets nothing any more, and is on its way back because there are more than are allowed.</summary>
    Leaving,
}
