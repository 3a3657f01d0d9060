using System.Text;
using Transfer.Local;

namespace Transfer.Engine.Trees;

/// <summary>
/// Decisions, without input or output, on names that the target lists in another of Unicode's forms than the source. A server that does
/// not distinguish the forms (macOS) has the source's file under a form of its own: that file is compared, kept or replaced, and never
/// deleted as an extra one.
/// </summary>
internal static class OtherForms
{
    /// <summary>Returns the names to look for: those that the target lists only in another form, which is no name of the source.</summary>
    /// <param name="names">The source's names, as the target would have them.</param>
    /// <param name="listed">The target's names.</param>
    public static IReadOnlyList<string> Sought(IEnumerable<string> names, IReadOnlyCollection<string> listed)
    {
        var others = listed.Where(name => !Ascii.IsValid(name)).ToList();
        if (others.Count == 0) return [];
        var forms = others.ToLookup(name => name, LocalNames.FormsAlone);
        var mine = names.Where(name => !Ascii.IsValid(name)).ToHashSet();
        var known = others.ToHashSet();
        return [.. mine.Where(name => !known.Contains(name) && forms[name].Any(other => !mine.Contains(other)))];
    }

    /// <summary>Gives entries that the target lists in another form the source's name, where the look finds that name, or fails.</summary>
    /// <param name="sought">See <see cref="Sought"/>.</param>
    /// <param name="looks">The looks, in order; null: no look was possible.</param>
    /// <param name="names">The source's names.</param>
    /// <param name="existing">The target's entries, by name.</param>
    /// <returns>The names, each with the name that the target lists.</returns>
    public static IReadOnlyList<(string Name, string Listed)> Adopt(IReadOnlyList<string> sought, IReadOnlyList<TreeLook>? looks,
        IEnumerable<string> names, Dictionary<string, TreeEntry> existing)
    {
        var mine = names.ToHashSet();
        var adopted = new List<(string, string)>();
        for (var i = 0; i < sought.Count; i++)
        {
            if (looks is not null && looks[i].IsAbsent) continue;
            var other = existing.Keys.FirstOrDefault(name => !mine.Contains(name) && LocalNames.FormsAlone.Equals(name, sought[i]));
            if (other is null || !existing.Remove(other, out var entry)) continue;
            existing[sought[i]] = entry with { Name = sought[i] };
            adopted.Add((sought[i], other));
        }
        return adopted;
    }
}
