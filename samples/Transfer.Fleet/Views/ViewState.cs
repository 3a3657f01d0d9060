namespace Transfer.Fleet;

/// <summary>The state of a step as it is now.</summary>
internal enum ViewState
{
    /// <summary>The step waits for other steps.</summary>
    Open,

    /// <summary>The step is in line.</summary>
    Waiting,

    /// <summary>A worker that lives runs the step.</summary>
    Running,

    /// <summary>The step's worker has died; another one takes the step over soon.</summary>
    Lost,

    /// <summary>The step is not in line: put it there by a retry.</summary>
    Idle,

    /// <summary>The step has succeeded.</summary>
    Done,

    /// <summary>The last run has failed.</summary>
    Failed,
}
