using Transfer.Local;
using Transfer.Sessions;

namespace Transfer.Engine.Sync;

/// <summary>
/// Decisions on deletions of a synchronisation, without input or output: the worth of absence, names that may be one, directories to enter,
/// and whether to delete at all.
/// </summary>
internal static class DeletionRules
{
    /// <summary>Returns the worth of a name's absence from the source's listing of a directory.</summary>
    /// <param name="name">The name, as the target has it.</param>
    /// <param name="isPartial">Whether the listing, or that of a directory above, lacks entries or may lack some.</param>
    /// <param name="verdict">The completeness of the listing.</param>
    /// <param name="mayHideDots">Whether the listing may lack names that begin with a dot.</param>
    /// <param name="acceptsEmpty">Whether an empty source empties the target (<see cref="SyncOptions.DeleteForEmptySource"/>).</param>
    public static AbsenceProof ProofOf(string name, bool isPartial, ListingVerdict verdict, bool mayHideDots, bool acceptsEmpty) =>
        isPartial || verdict == ListingVerdict.Partial ? AbsenceProof.Partial
        : verdict == ListingVerdict.EmptyRefused || verdict == ListingVerdict.EmptyUnproved && !acceptsEmpty ? AbsenceProof.Silent
        : mayHideDots && name.StartsWith('.') ? AbsenceProof.HiddenDots
        : AbsenceProof.Proved;

    /// <summary>
    /// Removes the entries of both sides from the target's. Returns the names that the target does not list in the source's spelling: an
    /// entry under another spelling may be the same file.
    /// </summary>
    /// <param name="names">The source's names, as the target would have them.</param>
    /// <param name="existing">The target's entries, by name.</param>
    /// <param name="adopted">Names that the target lists in another spelling; null: none.</param>
    public static HashSet<string> Unlisted(IEnumerable<string> names, Dictionary<string, TreeEntry> existing,
        IReadOnlySet<string>? adopted) =>
        names.Where(name => !existing.Remove(name) || adopted?.Contains(name) == true).ToHashSet(LocalNames.Lenient);

    /// <summary>
    /// Returns a spelling, on neither side, of a name that may be one with another: a target that finds that spelling does not distinguish
    /// them. Null: there is none, and the entry stays.
    /// </summary>
    /// <param name="name">The name, as the target has it.</param>
    /// <param name="taken">The names of both sides.</param>
    public static string? SpellingToTry(string name, IReadOnlySet<string> taken) =>
        OtherSpellings(name).FirstOrDefault(other => !taken.Contains(other));

    /// <summary>Decides the fate of an extra entry.</summary>
    /// <param name="type">The listed type.</param>
    /// <param name="isStrange">Whether the name leads elsewhere, or cannot be sent.</param>
    /// <param name="isAdmitted">Whether no filter excludes the entry.</param>
    /// <param name="isOwn">Whether the entry is a folder of the job's own.</param>
    public static ExtraFate FateOf(RemoteEntryType type, bool isStrange, bool isAdmitted, bool isOwn) =>
        isStrange || !isAdmitted || isOwn || type == RemoteEntryType.Other ? ExtraFate.Stay
        : type == RemoteEntryType.Directory ? ExtraFate.Prove
        : ExtraFate.Delete;

    /// <summary>Decides the fate of an extra entry that is listed as a directory.</summary>
    /// <param name="proof">The proof of the type.</param>
    /// <param name="isAdmittedAsLink">Whether no filter excludes a link of that name.</param>
    public static ExtraFate FateOf(DirectoryProof proof, bool isAdmittedAsLink) =>
        proof == DirectoryProof.Child ? ExtraFate.Enter : isAdmittedAsLink ? ExtraFate.Delete : ExtraFate.Stay;

    /// <summary>
    /// Returns whether deletions are refused for a source without a single file, which is most likely the wrong one, unless the options
    /// accept that.
    /// </summary>
    public static bool IsRefusedForEmptySource(long found, bool isAnythingToGo, bool acceptsEmpty) =>
        found == 0 && isAnythingToGo && !acceptsEmpty;

    /// <summary>Returns whether an extra entry is still the one that a plan deletes.</summary>
    /// <param name="planned">The step of the plan.</param>
    /// <param name="now">The entry as the target lists it now; of a directory the type alone counts.</param>
    /// <param name="step">The step of the target's times.</param>
    public static bool IsAsPlanned(PlannedItem planned, in TreeEntry now, TimeSpan step) =>
        planned.Type == now.Type
        && (now.Type == RemoteEntryType.Directory
            || (planned.Length is not { } length || length == now.Length)
                && (planned.Modified is not { } time || IsSameTime(time.UtcTicks, now.ModifiedTicks, step)));

    /// <summary>Decides whether extra entries are deleted, once all files are sent.</summary>
    /// <param name="count">The number of entries to delete.</param>
    /// <param name="present">The number of the target's entries.</param>
    /// <param name="lost">The number of files that were to be sent, and failed.</param>
    /// <param name="limit">The most deletions; null: no limit.</param>
    public static DeletionGate GateOf(long count, long present, long lost, DeletionLimit? limit) =>
        count == 0 ? DeletionGate.Nothing : lost > 0 ? DeletionGate.Held : limit?.Allows(count, present) == false
        ? DeletionGate.Refused : DeletionGate.Open;

    // LIST shows the minute of a time, and of an older one the day alone.
    private static bool IsSameTime(long planned, long now, TimeSpan step)
    {
        var isDay = ListedTime.IsCoarse(step) && (planned % TimeSpan.TicksPerDay == 0 || now % TimeSpan.TicksPerDay == 0);
        var ticks = isDay ? TimeSpan.TicksPerDay : Math.Max(1, step.Ticks);
        return planned / ticks == now / ticks;
    }

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
