namespace Transfer.Handles;

/// <summary>How a file was checked; of several files, the check that holds for each.</summary>
internal readonly record struct FileCheck(VerificationMode Verified, HashSource? HashSource, string? HashAlgorithm)
{
    public static FileCheck Of(TransferResult result) => new(result.Verified, result.HashSource, result.HashAlgorithm);

    /// <summary>The check of a job's files; null: no file arrived.</summary>
    public static FileCheck? Of(JobResult job) => job.Verified is { } verified ? new(verified, job.HashSource, job.HashAlgorithm) : null;

    private int Strength => ((int)Verified << 2) + (int)(HashSource ?? 0);

    /// <summary>The weaker of two checks; without the algorithm, where equally strong checks differ in that.</summary>
    public static FileCheck? Weaker(FileCheck? a, FileCheck? b)
    {
        if (a is not { } one || b is not { } other) return a ?? b;
        if (one.Strength != other.Strength) return one.Strength < other.Strength ? one : other;
        return one.HashAlgorithm == other.HashAlgorithm ? one : one with { HashAlgorithm = null };
    }
}
