using Transfer.Local;

namespace Transfer.Replacing;

/// <summary>What can be told of two names by what is seen at them.</summary>
internal static class NameSigns
{
    // File systems and protocols keep times in steps of up to two seconds.
    private static readonly TimeSpan TimeStep = TimeSpan.FromSeconds(2);

    /// <summary>
    /// What is under the target's name is what was renamed: by length and time, as far as both are known. Of an old file at least the
    /// time would differ.
    /// </summary>
    /// <param name="target">What is there.</param>
    /// <param name="renaming">What was to be renamed.</param>
    /// <param name="kind">What that is.</param>
    public static bool IsOurs(NameSight target, Renaming renaming, NameState kind) => target.State switch
    {
        NameState.Directory => kind == NameState.Directory || renaming is { IsTemporary: false, InDoubt: true, Length: null },
        NameState.File => renaming.Length is { } length && target.Length == length
            && !(renaming.Modified is { } sent && target.Modified is { } found && (sent - found).Duration() >= TimeStep),
        _ => false,
    };

    /// <summary>
    /// rename(2) of one hard link onto another of the same file does nothing, and says yes. What differs in length or time is no such
    /// file.
    /// </summary>
    public static bool MayBeOneFile(NameSight source, NameSight target) =>
        source.State == NameState.File && target.State == NameState.File && source.Length == target.Length && source.Modified == target.Modified;

    public static bool DifferInCaseOnly(string one, string other) => one != other && LocalNames.Lenient.Equals(one, other);
}
