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

    /// <summary>
    /// Returns the names that may be one with another at some target, each with the first of them; null: there are none.
    /// </summary>
    /// <param name="names">The names of a directory.</param>
    public static Dictionary<string, string>? Group(IReadOnlyCollection<string> names)
    {
        if (AreFarApart(names, names.Count)) return null;
        var groups = names.GroupBy(name => name, LocalNames.Lenient).Where(group => group.Skip(1).Any());
        return groups.SelectMany(group => group.Select(name => (name, First: group.Min(StringComparer.Ordinal)!)))
            .DistinctBy(twin => twin.name).ToDictionary(twin => twin.name, twin => twin.First, StringComparer.Ordinal);
    }

    /// <summary>Returns the names of which a target has several as one; null: there are none.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="entries">The entries of the source.</param>
    /// <param name="comparer">The target's comparison.</param>
    public static HashSet<string>? Merge(PlannedDirectory directory, List<TreeEntry> entries, IEqualityComparer<string> comparer)
    {
        var seen = new HashSet<string>(entries.Count, comparer);
        HashSet<string>? repeated = null;
        foreach (var entry in entries)
        {
            if (directory.NameThere(entry.Name) is var name && !seen.Add(name)) (repeated ??= new(comparer)).Add(name);
        }
        return repeated is null ? null
            : [.. entries.Where(entry => repeated.Contains(directory.NameThere(entry.Name))).Select(entry => entry.Name)];
    }

    /// <summary>
    /// Finds names that a target has under another spelling of the same group: those are one there. Without an answer, all are.
    /// </summary>
    /// <param name="target">The target.</param>
    /// <param name="directory">The directory.</param>
    /// <param name="twins">The source's names that may be one with another, each with the first of them.</param>
    /// <param name="existing">The target's entries.</param>
    /// <param name="ct">Cancels.</param>
    /// <returns>All names of such groups.</returns>
    public static async ValueTask<HashSet<string>> FindMergedAsync(
        ITargetTree target, PlannedDirectory directory, Dictionary<string, string> twins, Dictionary<string, TreeEntry> existing,
        CancellationToken ct)
    {
        var unlisted = twins.Keys.Where(name => !existing.ContainsKey(directory.NameThere(name))).ToArray();
        if (unlisted.Length == 0) return [];
        try
        {
            var looks = await target.LookAsync(directory.TargetPath, [.. unlisted.Select(directory.NameThere)], ct).ConfigureAwait(false);
            var firsts = unlisted.Where((_, i) => !looks[i].IsAbsent).Select(name => twins[name]).ToHashSet();
            return [.. twins.Where(twin => firsts.Contains(twin.Value)).Select(twin => twin.Key)];
        }
        catch (TransferException)
        {
            return [.. twins.Keys];
        }
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
