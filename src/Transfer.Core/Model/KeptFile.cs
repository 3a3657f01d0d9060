namespace Transfer;

/// <summary>
/// Content at the target that could not be given its name, in this run or an earlier one of the job: nothing of a job deletes it, and each run of the job names it until it is gone from there.
/// </summary>
/// <param name="Path">The path that the content belongs to, absolute.</param>
/// <param name="KeptAs">The path where the content is now.</param>
public sealed record KeptFile(string Path, string KeptAs)
{
    /// <summary>The content is the one that had the path before, moved aside for another; else it is the one that was to have it.</summary>
    public bool IsOld { get; init; }
}
