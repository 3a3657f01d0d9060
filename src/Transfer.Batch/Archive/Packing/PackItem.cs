using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Archive.Tar;

namespace Transfer.Batch.Archive.Packing;

/// <summary>A file, a slice of a file, a folder or a link on the way into an archive.</summary>
internal sealed class PackItem
{
    /// <summary>Relative to the job's folder, with slashes.</summary>
    public required string Path { get; init; }

    public required TarEntryType Type { get; init; }

    /// <summary>The length of the content in bytes, of the file or of the slice.</summary>
    public long Length { get; set; }

    /// <summary>When the source was modified, in ticks of UTC.</summary>
    public long ModifiedTicks { get; set; }

    /// <summary>The text of a link.</summary>
    public string LinkText { get; init; } = string.Empty;

    /// <summary>The file that the slice belongs to; null: the item is whole.</summary>
    public SlicedSource? Source { get; init; }

    /// <summary>The offset of the slice in the file.</summary>
    public long Offset { get; init; }

    /// <summary>The delta against the receiver's version; null: the content travels.</summary>
    public FileDelta? Delta { get; set; }

    /// <summary>The share of an archive's bytes that the item counts for.</summary>
    public long Weight => Delta?.Weight ?? Length;

    /// <summary>Whether the item was sent before, and changed while being packed.</summary>
    public bool IsSecondTry { get; init; }

    public PackOutcome Outcome { get; set; }

    /// <summary>Whether this archive is not to settle the item: unreadable (reported already), back in line, or left for another
    /// job.</summary>
    public bool IsSettledElsewhere => Outcome is PackOutcome.Failed or PackOutcome.Requeued or PackOutcome.Postponed;

    /// <summary>Whether nothing of the item is to be packed any more.</summary>
    public bool IsNotNeeded => IsSettledElsewhere || Source is { IsEnded: true };

    /// <summary>The stamp of the whole file, as packed.</summary>
    public SourceStamp Stamp => new(Source?.Length ?? Length, ModifiedTicks);
}
