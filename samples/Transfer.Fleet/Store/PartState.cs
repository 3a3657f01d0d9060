namespace Transfer.Fleet;

/// <summary>
/// The state of a step in the database. A worker that dies writes nothing: <see cref="Running"/> holds with a live worker only.
/// </summary>
internal enum PartState
{
    /// <summary>The step waits for other steps.</summary>
    Open,

    /// <summary>The step is in line.</summary>
    Queued,

    /// <summary>A worker has begun.</summary>
    Running,

    /// <summary>The step has succeeded.</summary>
    Done,

    /// <summary>The last run has failed.</summary>
    Failed,
}
