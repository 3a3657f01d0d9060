using Transfer.Batch.Archive.Tar;
using Transfer.Local;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>An entry of an archive that is being unpacked.</summary>
internal sealed class Incoming
{
    public required TarEntry Entry { get; init; }

    /// <summary>Whether the archive was sent before, with an unknown outcome.</summary>
    public bool MayBeRepeated { get; init; }

    /// <summary>The entry's path here.</summary>
    public string Target { get; set; } = string.Empty;

    /// <summary>The folder of the entry; null: there is none, or the entry is a folder.</summary>
    public TargetFolder? Parent { get; set; }

    /// <summary>The unpublished file with the content; null: the entry has none of its own.</summary>
    public LocalNewFile? File { get; set; }

    /// <summary>The file that the entry is a slice of.</summary>
    public SlicedFile? Sliced { get; set; }

    /// <summary>The path to which the content is written.</summary>
    public string WrittenPath => Sliced?.Temporary ?? File?.Path ?? Target;

    /// <summary>The folder, if the entry is one.</summary>
    public TargetFolder? Folder { get; set; }

    /// <summary>The type of the entry that exists under the name; null: none, or not examined.</summary>
    public RemoteEntryType? ExistingType { get; set; }

    /// <summary>Whether the existing file stays, and the entry is skipped.</summary>
    public bool IsSkipped { get; set; }

    /// <summary>Whether the skipped file has the length and the time of the entry.</summary>
    public bool IsAlike { get; set; }

    /// <summary>Whether the entry exists already, published by this job.</summary>
    public bool IsPublishedBefore { get; set; }

    /// <summary>Whether the source changed while being packed: the entry counts as not sent.</summary>
    public bool IsInvalid { get; set; }

    /// <summary>Whether a delta does not fit the file here: the sender sends the whole file, and where this happens at once, only the
    /// sender gets the failure.</summary>
    public bool WillBeSentWhole => Entry.Delta is not null && Error is { Error: TransferError.Integrity };

    /// <summary>Whether the name can never exist here.</summary>
    public bool IsImpossible { get; set; }

    /// <summary>Why the entry is not written.</summary>
    public TransferException? Error { get; set; }
}
