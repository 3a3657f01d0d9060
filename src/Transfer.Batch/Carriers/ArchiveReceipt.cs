namespace Transfer.Batch.Carriers;

/// <summary>A receiver's statement that the files of an archive are safe.</summary>
/// <param name="Index">The archive's number in the job.</param>
/// <param name="Digest">The digest that identifies the archive, computed by the reader (docs/internals/batch-format.md, "Digest").</param>
/// <param name="Files">The number of files that have been published.</param>
/// <param name="Failures">The files that could not be written or were refused.</param>
internal sealed record ArchiveReceipt(long Index, ReadOnlyMemory<byte> Digest, long Files, IReadOnlyList<ArchiveFailure> Failures)
{
    /// <summary>One of the failures that another try might not repeat: the disk was full, a file was open, a name was taken. Null: all
    /// failures are lasting. Not sent.</summary>
    public ArchiveFailure? Passing { get; init; }

    /// <summary>The paths of existing files that were kept, as the receiver's <see cref="OverwriteMode"/> demands.</summary>
    public IReadOnlyList<string> Skipped { get; init; } = [];

    /// <summary>The skipped files that differ from the sent ones in length or time. Not sent.</summary>
    public IReadOnlyList<string> Different { get; init; } = [];
}
