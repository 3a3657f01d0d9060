namespace Transfer;

/// <summary>How a synchronisation finds out whether a file has changed. A different length always says so.</summary>
public enum SyncComparison
{
    /// <summary>
    /// By the modification time, as exactly as both sides have it. Where the target does not keep the source's times, a file is unchanged that is not older there.
    /// </summary>
    Time,

    /// <summary>By nothing else than the length.</summary>
    Size,

    /// <summary>
    /// By a hash of the content, whatever the times are. A side that computes none itself is read back as a whole: <see cref="JobResult.ReadBack"/> counts such files.
    /// </summary>
    Hash,
}
