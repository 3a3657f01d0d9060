using Transfer.Local;
using Transfer.Names;

namespace Transfer.Engine.Trees;

/// <summary>Finds other names for those that a target can't have, when the options want that.</summary>
internal sealed class NameMapper
{
    private readonly ITargetTree _target;
    private readonly NameMapping _mapping;

    public NameMapper(ITargetTree target, NameMapping mapping)
    {
        _target = target;
        _mapping = mapping;
    }

    /// <summary>Whether names may be mapped.</summary>
    public bool Maps => _mapping != NameMapping.None;

    // Known once the root exists.
    private NameCode? Code => _mapping switch { NameMapping.None => null, NameMapping.Windows => NameCode.Windows, _ => _target.Code };

    /// <summary>Returns the mapped names of a directory's entries; null when no name changes.</summary>
    /// <param name="directory">The directory, which exists at the target unless it has an error.</param>
    /// <param name="entries">All entries of the source, whether filtered or not, so that every run maps alike.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask<IReadOnlyDictionary<string, string>?> MapAsync(PlannedDirectory directory,
        IReadOnlyCollection<TreeEntry> entries, CancellationToken ct)
    {
        if (Code is not { } code) return null;
        var mapped = new Dictionary<string, string>();
        foreach (var entry in entries)
        {
            var name = code.Encode(entry.Name);
            if (name != entry.Name) mapped[entry.Name] = name;
        }
        foreach (var alike in await TwinsAsync(directory, entries, name => mapped.GetValueOrDefault(name, name), ct).ConfigureAwait(false))
        {
            foreach (var name in alike[1..]) mapped[name] = code.Encode(name, alike[0]);
        }
        return mapped.Count > 0 ? mapped : null;
    }

    /// <summary>Returns the source's name for an entry of the target.</summary>
    public string NameHere(string there) => Code?.Decode(there) ?? there;

    // Groups of names that are one at the target; the first of each keeps the name.
    private async ValueTask<IReadOnlyList<string[]>> TwinsAsync(
        PlannedDirectory directory, IReadOnlyCollection<TreeEntry> entries, Func<string, string> nameOf, CancellationToken ct)
    {
        var names = _mapping == NameMapping.Windows
            ? new LocalNames(windows: false, ignoresCase: true, TwinNames.MergesForms(_target.Names))
            : directory.Error is not null && TwinNames.AreToldApart(_target.Names) ? null
            : (await TwinNames.FindAsync(_target, directory.TargetPath, entries.Select(entry => nameOf(entry.Name)), entries.Count,
                ct).ConfigureAwait(false)).Names;
        if (names is null) return [];
        var seen = new HashSet<string>(entries.Count, names);
        if (entries.All(entry => seen.Add(nameOf(entry.Name)))) return [];
        return [.. entries.Select(entry => entry.Name).Distinct().GroupBy(nameOf, names).Where(alike => alike.Skip(1).Any()).Select(
            alike => alike.Order(StringComparer.Ordinal).ToArray())];
    }
}
