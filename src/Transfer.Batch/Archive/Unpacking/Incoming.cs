using Transfer.Batch.Archive.Tar;
using Transfer.Local;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>An entry of an archive that is being unpacked.</summary>
internal sealed class Incoming
{
    public required TarEntry Entry { get; init; }

    /// <summary>Its archive was sent before, and nobody knows what became of it then.</summary>
    public bool IsAgain { get; init; }

    /// <summary>Its path here.</summary>
    public string Target { get; set; } = string.Empty;

    /// <summary>The folder that it is in; null: it has none, or is one itself.</summary>
    public TargetFolder? Parent { get; set; }

    /// <summary>Its content until it gets its name; null: it has none of its own.</summary>
    public LocalNewFile? File { get; set; }

    /// <summary>The file that it is a slice of.</summary>
    public SlicedFile? Sliced { get; set; }

    /// <summary>Where its content is written.</summary>
    public string Written => Sliced?.Temporary ?? File?.Path ?? Target;

    /// <summary>The folder that it is.</summary>
    public TargetFolder? Folder { get; set; }

    /// <summary>What is there under its name; null: nothing, or nobody needed to know.</summary>
    public RemoteEntryType? There { get; set; }

    /// <summary>What is there stays as it is.</summary>
    public bool IsSkipped { get; set; }

    /// <summary>That has the length and the time of what was sent.</summary>
    public bool IsAlike { get; set; }

    /// <summary>It is there already, put by this job.</summary>
    public bool IsOwned { get; set; }

    /// <summary>Its source changed while it was packed: it is as if it had not been sent.</summary>
    public bool IsSpoilt { get; set; }

    /// <summary>It is a delta and does not fit what is here: its sender sends it whole, and where he does so at once, only he need know.</summary>
    public bool GoesAgain => Entry.Delta is not null && Error is { Error: TransferError.Integrity };

    /// <summary>There can't be such a name here, whatever is done.</summary>
    public bool IsImpossible { get; set; }

    /// <summary>Why it is not written.</summary>
    public TransferException? Error { get; set; }
}
