using Transfer.Local;
using Transfer.Sessions;

namespace Transfer.Engine.Sync;

/// <summary>
/// What a synchronisation may delete, as decisions without input or output: what absence from a listing proves, which names may be one, what is entered, and whether anything is deleted at all.
/// </summary>
internal static class DeletionRules
{
    /// <summary>What it proves that the source's listing of a directory does not have a name.</summary>
    /// <param name="name">The name, as the target has it.</param>
    /// <param name="isPartial">The listing, or that of a directory above, lacks entries or may lack some.</param>
    /// <param name="verdict">What absence from the listing is worth.</param>
    /// <param name="mayHideDots">Names that begin with a dot may be missing from it.</param>
    /// <param name="acceptsEmpty">The caller wants the target emptied where the source is (<see cref="SyncOptions.DeleteForEmptySource"/>).</param>
    public static AbsenceProof ProofOf(string name, bool isPartial, ListingVerdict verdict, bool mayHideDots, bool acceptsEmpty) =>
        isPartial || verdict == ListingVerdict.Partial ? AbsenceProof.Partial
        : verdict == ListingVerdict.EmptyUnproved && !acceptsEmpty ? AbsenceProof.Silent
        : mayHideDots && name.StartsWith('.') ? AbsenceProof.HiddenDots
        : AbsenceProof.Proved;

    /// <summary>Takes what both sides have out of what the target has. Gives the names that its listing does not have as they are: what it has under another spelling may be their file.</summary>
    /// <param name="names">The source's names, as the target would have them.</param>
    /// <param name="existing">What the target has, by name.</param>
    /// <param name="adopted">Names that the target lists in another of Unicode's forms; null: none.</param>
    public static HashSet<string> Unlisted(IEnumerable<string> names, Dictionary<string, TreeEntry> existing, IReadOnlySet<string>? adopted) =>
        names.Where(name => !existing.Remove(name) || adopted?.Contains(name) == true).ToHashSet(LocalNames.Lenient);

    /// <summary>A spelling that neither side has of a name that may be one with another: where the target finds that, it does not tell them apart. Null: there is none, and the name stays.</summary>
    /// <param name="name">The name, as the target has it.</param>
    /// <param name="taken">The names of both sides.</param>
    public static string? SpellingToTry(string name, IReadOnlySet<string> taken) => OtherSpellings(name).FirstOrDefault(other => !taken.Contains(other));

    /// <summary>What becomes of an entry that only the target has.</summary>
    /// <param name="type">What it is listed as.</param>
    /// <param name="isStrange">Its name leads elsewhere, or cannot be sent.</param>
    /// <param name="isAdmitted">No filter leaves it out.</param>
    /// <param name="isOwn">It is a folder of the job's own.</param>
    public static ExtraFate FateOf(RemoteEntryType type, bool isStrange, bool isAdmitted, bool isOwn) =>
        isStrange || !isAdmitted || isOwn || type == RemoteEntryType.Other ? ExtraFate.Stay
        : type == RemoteEntryType.Directory ? ExtraFate.Prove
        : ExtraFate.Delete;

    /// <summary>What becomes of an entry that only the target has and that is listed as a directory.</summary>
    /// <param name="proof">What is known of it.</param>
    /// <param name="isAdmittedAsLink">No filter leaves out a link of that name.</param>
    public static ExtraFate FateOf(DirectoryProof proof, bool isAdmittedAsLink) =>
        proof == DirectoryProof.Child ? ExtraFate.Enter : isAdmittedAsLink ? ExtraFate.Delete : ExtraFate.Stay;

    /// <summary>A source without a single file is most likely not the one that was meant: nothing is deleted for it unless that is asked for.</summary>
    public static bool IsForNothing(long found, bool isAnythingToGo, bool acceptsEmpty) => found == 0 && isAnythingToGo && !acceptsEmpty;

    /// <summary>Whether anything is deleted, when everything is sent.</summary>
    /// <param name="count">What would be deleted.</param>
    /// <param name="present">What the target has.</param>
    /// <param name="lost">Files that were to be sent, and failed.</param>
    /// <param name="limit">The most that may be deleted; null: there is no such limit.</param>
    public static DeletionGate GateOf(long count, long present, long lost, DeletionLimit? limit) =>
        count == 0 ? DeletionGate.Nothing : lost > 0 ? DeletionGate.Held : limit?.Allows(count, present) == false ? DeletionGate.Refused : DeletionGate.Open;

    private static IEnumerable<string> OtherSpellings(string name)
    {
        for (var i = 0; i < name.Length; i++)
        {
            var c = name[i];
            if (char.IsAsciiLetter(c)) yield return string.Concat(name.AsSpan(0, i), [(char)(c ^ 0x20)], name.AsSpan(i + 1));
        }
        yield return name.ToUpperInvariant();
        yield return name.ToLowerInvariant();
    }
}
