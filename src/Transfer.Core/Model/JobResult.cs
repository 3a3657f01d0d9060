namespace Transfer;

/// <summary>The result of a job. One failure never hides the rest: every item is tried.</summary>
public record JobResult
{
    /// <summary>The most failures kept in <see cref="Failures"/>.</summary>
    public const int MaxFailures = 1000;

    /// <summary>Files that arrived whole, and links that were made (<see cref="LinkHandling.Copy"/>).</summary>
    public long Files { get; init; }

    /// <summary>Content bytes of those files.</summary>
    public long Bytes { get; init; }

    /// <summary>Items that stayed unchanged: <see cref="OverwriteMode.Skip"/>, <see cref="OverwriteMode.Newer"/>, devices, and links that
    /// are not copied and not followed or lead nowhere.</summary>
    public long Skipped { get; init; }

    /// <summary>Items that both sides had alike already. Synchronising only.</summary>
    public long Unchanged { get; init; }

    /// <summary>Files that were renamed at the target instead of sent. Synchronising only.</summary>
    public long Moved { get; init; }

    /// <summary>Files and folders whose permissions were changed. <see cref="TransferClient.StartChangeMode"/> only.</summary>
    public long ModesChanged { get; init; }

    /// <summary>Files, links and folders that were deleted: by synchronising at the target, or as requested.</summary>
    public long Deleted { get; init; }

    /// <summary>Files, links and folders that were not deleted because files had failed before, or because they are more than
    /// <see cref="SyncOptions.MaxDelete"/> allows.</summary>
    public long NotDeleted { get; init; }

    /// <summary>Files that were read as a whole for a comparison, because the server computes no hashes
    /// (<see cref="SyncComparison.Hash"/>).</summary>
    public long ReadBack { get; init; }

    /// <summary>The check that holds for each file that arrived, so the weakest; null: none arrived. A link that was made counts as
    /// <see cref="VerificationMode.Reply"/>.</summary>
    public VerificationMode? Verified { get; init; }

    /// <summary>The hash that was compared, where <see cref="Verified"/> is <see cref="VerificationMode.Hash"/>; null: none, or not the
    /// same for all files.</summary>
    public string? HashAlgorithm { get; init; }

    /// <summary>The origin of the other end's hashes, the weakest of them; null: not all files were compared by a hash.</summary>
    public HashSource? HashSource { get; init; }

    /// <summary>Items that failed, all of them counted.</summary>
    public long Failed { get; init; }

    /// <summary>Files that were to be sent, and failed: while there are any, nothing is deleted.</summary>
    internal long Lost { get; init; }

    /// <summary>The time from the call to the last confirmed item.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>The most sessions that were open at once.</summary>
    public int Sessions { get; init; }

    /// <summary>Items that were put in line again after their session was lost.</summary>
    public int Retries { get; init; }

    /// <summary>The first <see cref="MaxFailures"/> failures.</summary>
    public IReadOnlyList<ItemResult> Failures { get; init; } = [];

    /// <summary>Content at the target without its final name, of this run and of earlier ones of the job; at most
    /// <see cref="MaxFailures"/>.</summary>
    public IReadOnlyList<KeptFile> Kept { get; init; } = [];
}
