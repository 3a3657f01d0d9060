namespace Transfer;

/// <summary>The result of one file's transfer.</summary>
public sealed record TransferResult
{
    /// <summary>
    /// The length of the content that is at the target now, in bytes: of the file, or of the range that was requested. Of a continued file
    /// (<see cref="ResumedAt"/>) that includes the bytes which earlier runs moved, whether one session or several wrote the file.
    /// </summary>
    public long Bytes { get; init; }

    /// <summary>The offset of the first byte that was missing in a partial file that was continued; 0: none was, or its first byte was
    /// missing.</summary>
    public long ResumedAt { get; init; }

    /// <summary>The time from the call to the confirmed end.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>The number of attempts; 1 when all went well.</summary>
    public int Attempts { get; init; }

    /// <summary>The check that was made, never overstated.</summary>
    public VerificationMode Verified { get; init; }

    /// <summary>The hash that was compared, by the common name: <c>SHA-256</c>, <c>SHA-512</c>, <c>SHA-1</c> or <c>MD5</c>; null:
    /// none.</summary>
    public string? HashAlgorithm { get; init; }

    /// <summary>The hash of the content, which both ends have, in lower-case hex; null: none was compared.</summary>
    public string? Hash { get; init; }

    /// <summary>The origin of the other end's hash; null: none was compared.</summary>
    public HashSource? HashSource { get; init; }

    /// <summary>Whether the target stayed unchanged: <see cref="OverwriteMode.Skip"/> or <see cref="OverwriteMode.Newer"/>.</summary>
    public bool Skipped { get; init; }

    /// <summary>Content at the target without its final name, left by earlier runs of the job
    /// (<see cref="TransferOptions.Journal"/>).</summary>
    public IReadOnlyList<KeptFile> Kept { get; init; } = [];
}
