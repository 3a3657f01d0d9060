using Transfer.Companions;

namespace Transfer.PowerShell.Files;

/// <summary>The result of a command, over all jobs.</summary>
public sealed record TransferSummary
{
    /// <summary>Files that were moved.</summary>
    public long Files { get; init; }

    /// <summary>Bytes of content that were moved.</summary>
    public long Bytes { get; init; }

    /// <summary>The number of files that -Overwrite left as they are.</summary>
    public long Skipped { get; init; }

    /// <summary>Files that were the same already.</summary>
    public long Unchanged { get; init; }

    /// <summary>Files and folders that were deleted at the target.</summary>
    public long Deleted { get; init; }

    /// <summary>
    /// The number of items that failed, with those that were not found or not begun; each has an error of its own.
    /// </summary>
    public long Failed { get; init; }

    /// <summary>The time from the first file to the last.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>Bytes a second, over the whole time.</summary>
    public double BytesPerSecond => Elapsed > TimeSpan.Zero ? Bytes / Elapsed.TotalSeconds : 0;

    /// <summary>The summary with the files of a job that failed as a whole.</summary>
    internal TransferSummary PlusPart(TransferProgress job) => this with
    {
        Files = Files + job.Files,
        Bytes = LengthSum.Add(Bytes, job.Bytes),
    };

    internal TransferSummary Plus(JobResult job) => this with
    {
        Files = Files + job.Files,
        Bytes = LengthSum.Add(Bytes, job.Bytes),
        Skipped = Skipped + job.Skipped,
        Unchanged = Unchanged + job.Unchanged,
        Deleted = Deleted + job.Deleted,
        Failed = Failed + job.Failed,
        Elapsed = job.Elapsed > Elapsed ? job.Elapsed : Elapsed,
    };
}
