using Transfer.Local;

namespace Transfer.Replacing;

/// <summary>Conclusions from the sights of two names.</summary>
internal static class NameSigns
{
    // File systems and protocols keep times in steps of up to two seconds.
    private static readonly TimeSpan TimeStep = TimeSpan.FromSeconds(2);

    /// <summary>
    /// Whether the entry under the target's name is the renamed one: by length and time, as far as both are known. An old file would differ
    /// at least in time.
    /// </summary>
    /// <param name="target">The sight of the target.</param>
    /// <param name="renaming">The renaming.</param>
    /// <param name="kind">The state of the source before.</param>
    public static bool IsOurs(NameSight target, Renaming renaming, NameState kind) => target.State switch
    {
        NameState.Directory => kind == NameState.Directory || renaming is { IsTemporary: false, InDoubt: true, Length: null },
        NameState.File => renaming.Length is { } length && target.Length == length
            && !(renaming.Modified is { } sent && target.Modified is { } found && (sent - found).Duration() >= TimeStep),
        _ => false,
    };

    /// <summary>
    /// Whether a rename was done though it was refused, of a source that is gone. Where no time distinguishes the old file from the new,
    /// the source must have been accepted first: something else may have deleted it before.
    /// </summary>
    public static bool WasDone(NameSight target, Renaming renaming, NameState kind, RenameAnswer refused) =>
        IsOurs(target, renaming, kind)
        && (renaming.InDoubt || renaming.Modified is not null || refused != RenameAnswer.SourceRefused);

    /// <summary>
    /// Whether two names may be hard links of one file: rename(2) of one onto the other does nothing, and succeeds. Files that differ in
    /// length or time are two.
    /// </summary>
    public static bool MayBeOneFile(NameSight source, NameSight target) =>
        source.State == NameState.File && target.State == NameState.File && source.Length == target.Length
        && source.Modified == target.Modified;

    /// <summary>
    /// Whether a lost session has linked an upload to the final name, maybe late, and not deleted the temporary one: the looks before found
    /// the final name free, and two files do not have one length and one time.
    /// </summary>
    public static bool AreLinked(NameSight source, NameSight target, Renaming renaming) =>
        renaming is { InDoubt: true, IsByLink: true, IsTemporary: true, Replace: false }
        && source is { Length: not null, Modified: not null }
        && MayBeOneFile(source, target) && IsOurs(target, renaming, NameState.File);

    /// <summary>Whether a link that is to be renamed may lead to the target: a file with its length and time, as far as known.</summary>
    public static bool MayBeLedTo(NameSight target, Renaming link) =>
        target.State == NameState.File
        && (link.LinkEnd is not { } end || (end.Length is not { } length || target.Length is not { } found || length == found)
            && (end.Modified is not { } led || target.Modified is not { } seen || (led - seen).Duration() < TimeStep));

    public static bool DifferInCaseOnly(string one, string other) => one != other && LocalNames.Lenient.Equals(one, other);
}
