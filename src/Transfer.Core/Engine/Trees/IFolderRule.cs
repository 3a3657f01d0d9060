using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>Decides what becomes of what a planner finds. Called for several directories at once.</summary>
internal interface IFolderRule
{
    /// <summary>Also the target is walked, with what only it has.</summary>
    bool WalksTarget { get; }

    /// <summary>The target's folder has just been made, or would have been: nothing is in it.</summary>
    void Begin(bool fresh);

    /// <summary>What the target has in a directory may be needed to decide on what the source has there.</summary>
    bool ListsTarget { get; }

    /// <summary>True when these entries of a directory can't be decided on before the target's are known.</summary>
    bool NeedsTarget(IReadOnlyList<TreeEntry> entries);

    /// <summary>What the target does not have has to be proved to be absent: otherwise it would be replaced.</summary>
    bool NeedsAbsence { get; }

    /// <summary>Decides on the files of a directory that is there at the target.</summary>
    /// <param name="directory">Where they are.</param>
    /// <param name="files">They.</param>
    /// <param name="existing">What the target has there; null: nothing, or nobody needed to know.</param>
    /// <param name="ct">Cancels.</param>
    ValueTask FilesAsync(
        PlannedDirectory directory, IReadOnlyList<TreeEntry> files, IReadOnlyDictionary<string, TreeEntry>? existing, CancellationToken ct);

    /// <summary>True when a link is to be made.</summary>
    /// <param name="item">The link's paths.</param>
    /// <param name="link">The link.</param>
    /// <param name="text">Its text.</param>
    /// <param name="there">What the target has under its name.</param>
    /// <param name="textThere">The text of that, when it is a link.</param>
    bool Link(ItemPath item, TreeEntry link, string text, TreeEntry? there, string? textThere);

    /// <summary>So many of a directory's entries are on both sides.</summary>
    void Matched(int entries);

    /// <summary>Only the target has this: a file, a link or a directory, which is walked too.</summary>
    /// <param name="directory">Where it is, or the directory itself.</param>
    /// <param name="entry">What is in that directory; null: it is the directory.</param>
    /// <param name="proof">Why an entry that is listed as a directory is not taken for one; null: it was not listed so.</param>
    void Extra(PlannedDirectory directory, TreeEntry? entry, DirectoryProof? proof = null);

    /// <summary>Everything was found, and all files that are to be sent are now in line but those that wait for this.</summary>
    /// <param name="found">How many files, links and others the source has.</param>
    /// <param name="ct">Cancels.</param>
    ValueTask CompleteAsync(long found, CancellationToken ct);

    /// <summary>Everything was sent.</summary>
    Task FinishAsync(CancellationToken ct);
}
