using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Archive.Tar;

namespace Transfer.Batch.Archive.Packing;

/// <summary>A file, a slice of one, a folder or a link on its way into an archive.</summary>
internal sealed class PackItem
{
    /// <summary>Relative to the job's folder, with slashes.</summary>
    public required string Path { get; init; }

    public required TarEntryType Type { get; init; }

    /// <summary>Bytes of its content: of the file's, or of the slice's.</summary>
    public long Length { get; set; }

    /// <summary>When the source was modified, in ticks of UTC.</summary>
    public long ModifiedTicks { get; set; }

    /// <summary>Where a link leads.</summary>
    public string LinkText { get; init; } = string.Empty;

    /// <summary>The file that this is a slice of; null: it is whole.</summary>
    public SlicedSource? Source { get; init; }

    /// <summary>Where the slice begins.</summary>
    public long Offset { get; init; }

    /// <summary>How it is made of what the receiver has; null: its content travels.</summary>
    public FileDelta? Delta { get; set; }

    /// <summary>How much of an archive's room it takes.</summary>
    public long Weight => Delta?.Weight ?? Length;

    /// <summary>It was sent before, and had changed while it was packed.</summary>
    public bool IsSecondTry { get; init; }

    public PackOutcome Outcome { get; set; }

    /// <summary>It can't be read, which was told; or it was put back in line, or is for another job.</summary>
    public bool IsElsewhere => Outcome is PackOutcome.Failed or PackOutcome.Moved or PackOutcome.Left;

    /// <summary>Nothing of it is to be packed any more.</summary>
    public bool IsOver => IsElsewhere || Source is { IsEnded: true };

    /// <summary>The whole file, as it was packed.</summary>
    public SourceStamp Stamp => new(Source?.Length ?? Length, ModifiedTicks);
}
