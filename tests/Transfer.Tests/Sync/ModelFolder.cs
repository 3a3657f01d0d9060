using System.Text;

namespace Transfer.Tests.Sync;

/// <summary>One directory of the target in a simulation: names as its file system takes them for one, and what is behind each.</summary>
/// <param name="ignoresCase">Does not tell upper case from lower.</param>
/// <param name="ignoresForms">Does not tell Unicode's forms apart.</param>
internal sealed class ModelFolder(bool ignoresCase, bool ignoresForms)
{
    private readonly SortedDictionary<string, (string Name, ModelNode Node)> _entries = new(StringComparer.Ordinal);

    public IEnumerable<string> Names => _entries.Values.Select(entry => entry.Name);

    public bool IsEmpty => _entries.Count == 0;

    public ModelNode? this[string name] => _entries.TryGetValue(KeyOf(name), out var entry) ? entry.Node : null;

    public void Add(string name, ModelNode node) => _entries.TryAdd(KeyOf(name), (name, node));

    public void Remove(string name) => _entries.Remove(KeyOf(name));

    /// <summary>Two names are one here.</summary>
    public bool AreOne(string one, string other) => KeyOf(one) == KeyOf(other);

    private string KeyOf(string name)
    {
        if (ignoresForms) name = name.Normalize(NormalizationForm.FormC);
        return ignoresCase ? name.ToUpperInvariant() : name;
    }
}

/// <summary>A file (no folder), a folder, or a link to a folder, which listings show as a folder.</summary>
internal sealed record ModelNode(ModelFolder? Folder, bool IsLink)
{
    public RemoteEntryType Type => Folder is null ? RemoteEntryType.File : RemoteEntryType.Directory;

    public TreeEntry EntryOf(string name) => new(name, Type, Folder is null ? 1 : -1, 0);
}
