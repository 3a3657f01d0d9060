namespace Transfer;

/// <summary>The way in which a synchronisation detects changed files. A different length always means a change.</summary>
public enum SyncComparison
{
    /// <summary>
    /// By the modification time, in the precision of both sides. Where the target does not keep the source's times, a file that is not
    /// older there is unchanged.
    /// </summary>
    Time,

    /// <summary>Only by the length.</summary>
    Size,

    /// <summary>
    /// By a hash of the content, regardless of times. Content of a side that computes no hashes is read back:
    /// <see cref="JobResult.ReadBack"/> counts such files.
    /// </summary>
    Hash,
}
