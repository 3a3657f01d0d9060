namespace Transfer.Batch.Carriers;

/// <summary>What a receiver says of an archive whose files are safe.</summary>
/// <param name="Index">The archive's number in the job.</param>
/// <param name="Digest">What names it among all others, as its reader computed it (docs/internals/batch-format.md, "Digest").</param>
/// <param name="Files">The files that have their names now.</param>
/// <param name="Failures">Those that could not be written or were refused.</param>
internal sealed record ArchiveReceipt(long Index, ReadOnlyMemory<byte> Digest, long Files, IReadOnlyList<ArchiveFailure> Failures)
{
    /// <summary>One of the failures that another try need not end in: the disk was full, a file was open, something was there. Null: all that failed can't be had here. It is not sent.</summary>
    public ArchiveFailure? Passing { get; init; }

    /// <summary>Paths of files that were left as they were there, because the receiver's <see cref="OverwriteMode"/> says so.</summary>
    public IReadOnlyList<string> Skipped { get; init; } = [];

    /// <summary>Those of them that are not what was sent, as far as length and time tell. It is not sent.</summary>
    public IReadOnlyList<string> Different { get; init; } = [];
}
