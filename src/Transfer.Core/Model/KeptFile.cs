namespace Transfer;

/// <summary>
/// Content at the target that could not get its final name, in this run or an earlier one of the job: no run deletes the content, and each
/// run of the job reports the content until it is gone from there.
/// </summary>
/// <param name="Path">The path that the content belongs to, absolute.</param>
/// <param name="KeptAs">The path where the content is now.</param>
public sealed record KeptFile(string Path, string KeptAs)
{
    /// <summary>Whether the content is the old one of the path, moved aside for another; else the content is the new one.</summary>
    public bool IsOld { get; init; }
}
