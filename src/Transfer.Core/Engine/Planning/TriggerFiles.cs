namespace Transfer.Engine.Planning;

/// <summary>Files that show by their presence that the file of the same name, without an ending, is complete.</summary>
internal static class TriggerFiles
{
    /// <summary>Removes trigger files from the entries of a directory, and the files that have none yet.</summary>
    public static void Apply(List<TreeEntry> entries, string ending)
    {
        var triggers = entries.Where(entry => entry.Name.EndsWith(ending, StringComparison.Ordinal)).Select(entry => entry.Name)
            .ToHashSet(StringComparer.Ordinal);
        entries.RemoveAll(entry =>
            entry.Type == RemoteEntryType.File && (triggers.Contains(entry.Name) || !triggers.Contains(entry.Name + ending)));
    }
}
