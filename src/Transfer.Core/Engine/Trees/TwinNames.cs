using System.Text;
using Transfer.Local;

namespace Transfer.Engine.Trees;

/// <summary>
/// Names of one directory that are one name at a target: they differ in case only, or in Unicode's composed and decomposed form.
/// </summary>
internal static class TwinNames
{
    public const string OneName = "the target does not tell them apart";

    private const string Composed = "\u00e9";
    private const string Decomposed = "e\u0301";

    /// <summary>Returns whether a comparer distinguishes all names.</summary>
    public static bool AreToldApart(IEqualityComparer<string> names) => !names.Equals("a", "A") && !MergesForms(names);

    /// <summary>Returns whether a comparer does not distinguish names that differ in Unicode's form only.</summary>
    public static bool MergesForms(IEqualityComparer<string> names) => names.Equals(Composed, Decomposed);

    /// <summary>Returns whether no two of the names can be one at any target: they differ in more than case and Unicode's form.</summary>
    /// <param name="names">The names.</param>
    /// <param name="count">The number of names.</param>
    public static bool AreFarApart(IEnumerable<string> names, int count)
    {
        if (count < 2) return true;
        var seen = new HashSet<string>(count, LocalNames.Lenient);
        return names.All(seen.Add);
    }

    /// <summary>Finds a target's comparison of a directory's names. A server is tested only where some of the names may be one.</summary>
    /// <param name="target">The target.</param>
    /// <param name="directory">A directory that exists.</param>
    /// <param name="names">The names.</param>
    /// <param name="count">The number of names.</param>
    /// <param name="ct">Cancels.</param>
    /// <returns>The comparer by which some names may be one, and why; null: all are distinguished.</returns>
    public static async ValueTask<(IEqualityComparer<string>? Names, string? Why)> FindAsync(
        ITargetTree target, string directory, IEnumerable<string> names, int count, CancellationToken ct)
    {
        if (!AreToldApart(target.Names)) return (target.Names, OneName);
        var seen = new HashSet<string>(count, LocalNames.Lenient);
        var (hasTwins, hasForms) = (false, false);
        foreach (var name in names)
        {
            if (seen.Add(name)) continue;
            hasTwins = true;
            hasForms |= !Ascii.IsValid(name);
        }
        if (!hasTwins) return default;
        var cases = await target.RefuseTwinsAsync(directory, forms: false, ct).ConfigureAwait(false);
        var forms = hasForms ? await target.RefuseTwinsAsync(directory, forms: true, ct).ConfigureAwait(false) : null;
        if (cases is null && forms is null) return default;
        return (new LocalNames(windows: false, ignoresCase: cases is not null, normalizes: forms is not null), cases ?? forms);
    }
}
