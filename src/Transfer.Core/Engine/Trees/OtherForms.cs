using System.Text;
using Transfer.Local;

namespace Transfer.Engine.Trees;

/// <summary>
/// Names that the target lists in another of Unicode's forms than the source has them, as decisions without input or output. A server that does not tell the forms apart (macOS) has what the
/// source has under one of its own: that is the file, to be compared, kept or replaced, and never deleted as another.
/// </summary>
internal static class OtherForms
{
    /// <summary>The names to be looked for: the target's listing does not have them, and has another form of each, which is none of these names.</summary>
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

    /// <summary>Takes what was found: where the target finds a name, or does not say, what it lists in the other form gets that name.</summary>
    /// <param name="sought">See <see cref="Sought"/>.</param>
    /// <param name="looks">What was found, in order; null: nothing could be looked for.</param>
    /// <param name="names">The source's names.</param>
    /// <param name="existing">What the target lists, by name.</param>
    /// <returns>The names, each with that under which the target lists it.</returns>
    public static IReadOnlyList<(string Name, string Listed)> Adopt(IReadOnlyList<string> sought, IReadOnlyList<TreeLook>? looks, IEnumerable<string> names, Dictionary<string, TreeEntry> existing)
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
