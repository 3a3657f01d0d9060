using Transfer.Local;

namespace Transfer.Engine.Trees;

/// <summary>
/// Decisions, without input or output, on names that the target lists in another spelling than the source: in another case, or in another
/// of Unicode's forms. A server that does not distinguish the two (Windows, macOS) has the source's file under a spelling of its own: that
/// file is compared, kept or replaced, and never deleted as an extra one.
/// </summary>
internal static class SpellingAdoption
{
    /// <summary>Returns the names to look for: those that the target lists in another spelling only, not one of the source.</summary>
    /// <param name="names">The source's names, as the target would have them.</param>
    /// <param name="existing">The target's entries, by name.</param>
    public static IReadOnlyList<string> Sought(IEnumerable<string> names, IReadOnlyDictionary<string, TreeEntry> existing)
    {
        var missing = names.Where(name => !existing.ContainsKey(name)).Distinct().ToList();
        if (missing.Count == 0) return [];
        var others = Others(names, existing.Keys, missing);
        return [.. missing.Where(others.Contains)];
    }

    /// <summary>
    /// Gives entries that the target lists in another spelling the source's name, where the look finds that name. Names that differ in
    /// Unicode's form only are taken for one if the look fails too: hardly any two files differ so.
    /// </summary>
    /// <param name="sought">See <see cref="Sought"/>.</param>
    /// <param name="looks">The looks, in order; null: no look was possible.</param>
    /// <param name="names">The source's names.</param>
    /// <param name="existing">The target's entries, by name.</param>
    /// <returns>The names, each with the name that the target lists.</returns>
    public static IReadOnlyList<(string Name, string Listed)> Adopt(IReadOnlyList<string> sought, IReadOnlyList<TreeLook>? looks,
        IEnumerable<string> names, Dictionary<string, TreeEntry> existing)
    {
        var others = Others(names, existing.Keys, sought);
        var adopted = new List<(string, string)>();
        for (var i = 0; i < sought.Count; i++)
        {
            if (!others.TryGetValue(sought[i], out var other)) continue;
            var isDoubtful = looks is null || looks[i] is { Entry: null, IsAbsent: false };
            if (isDoubtful ? !LocalNames.FormsAlone.Equals(other, sought[i]) : looks![i].IsAbsent) continue;
            if (!existing.Remove(other, out var entry)) continue;
            existing[sought[i]] = entry with { Name = sought[i] };
            adopted.Add((sought[i], other));
        }
        return adopted;
    }

    // The target's names that are another spelling of a wanted one, and no name of the source.
    private static HashSet<string> Others(IEnumerable<string> names, IEnumerable<string> listed, IEnumerable<string> wanted)
    {
        var spellings = wanted.ToHashSet(LocalNames.Lenient);
        var alike = listed.Where(spellings.Contains).ToHashSet(StringComparer.Ordinal);
        if (alike.Count > 0) alike.ExceptWith(names);
        return alike.ToHashSet(LocalNames.Lenient);
    }
}
