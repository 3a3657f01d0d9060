using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>Decides on the entries that a planner finds. Called for several directories at once.</summary>
internal interface IFolderRule
{
    /// <summary>Whether the target is walked too, for extra entries.</summary>
    bool WalksTarget { get; }

    /// <summary>Begins; <paramref name="fresh"/>: whether the target's folder was just created, or would have been, and is empty.</summary>
    void Begin(bool fresh);

    /// <summary>Whether the target's entries of a directory may be needed to decide on the source's.</summary>
    bool ListsTarget { get; }

    /// <summary>
    /// Whether an existing target may have all files already: sessions for them are then opened only for files that are to be sent.
    /// </summary>
    bool MayFindAll { get; }

    /// <summary>Returns whether these entries of a directory can be decided on only with the target's entries.</summary>
    bool NeedsTarget(IReadOnlyList<TreeEntry> entries);

    /// <summary>Whether absence at the target has to be proved before a write, which would replace an existing entry.</summary>
    bool NeedsAbsence { get; }

    /// <summary>Whether decisions go by presence at the target alone: absence is looked for name by name before it counts.</summary>
    bool PresenceSuffices { get; }

    /// <summary>Decides on the files of a directory that exists at the target.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="files">The files.</param>
    /// <param name="existing">The target's entries; null: none, or not needed.</param>
    /// <param name="ct">Cancels.</param>
    ValueTask FilesAsync(
        PlannedDirectory directory, IReadOnlyList<TreeEntry> files, IReadOnlyDictionary<string, TreeEntry>? existing, CancellationToken ct);

    /// <summary>Returns whether a link is to be created.</summary>
    /// <param name="directory">The directory of the link.</param>
    /// <param name="link">The link.</param>
    /// <param name="text">The text of the link.</param>
    /// <param name="there">The target's entry of that name.</param>
    /// <param name="textThere">The text of that entry, if a link.</param>
    bool Link(PlannedDirectory directory, TreeEntry link, string text, TreeEntry? there, string? textThere);

    /// <summary>Counts entries of a directory that both sides have.</summary>
    void Matched(int entries);

    /// <summary>Takes an entry that only the target has: a file, a link or a directory, which is walked too.</summary>
    /// <param name="directory">The directory of the entry, or the directory itself.</param>
    /// <param name="entry">The entry in that directory; null: the directory itself.</param>
    /// <param name="proof">Why an entry that a listing calls a directory does not count as one; null: no listing calls the entry
    /// so.</param>
    void Extra(PlannedDirectory directory, TreeEntry? entry, DirectoryProof? proof = null);

    /// <summary>
    /// Spares the extra entries in a directory and below, found or still to be found, as the source's side is not read whole.
    /// </summary>
    /// <param name="directory">The directory.</param>
    void Spare(PlannedDirectory directory);

    /// <summary>Reports the end of the walk: all files to be sent are in line, except those that wait for this call.</summary>
    /// <param name="found">The number of files, links and special entries of the source.</param>
    /// <param name="ct">Cancels.</param>
    ValueTask CompleteAsync(long found, CancellationToken ct);

    /// <summary>Reports that all files have ended.</summary>
    Task FinishAsync(CancellationToken ct);
}
