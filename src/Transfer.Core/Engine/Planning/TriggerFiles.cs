using Transfer.Engine.Trees;

namespace Transfer.Engine.Planning;

/// <summary>Files that show by their presence that the file of the same name, without an ending, is complete.</summary>
internal static class TriggerFiles
{
    /// <summary>Removes trigger files from the entries of a directory, and the files that have none yet.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="entries">The entries of the source.</param>
    /// <param name="gate">Has the ending, and takes the triggers of the files that stay.</param>
    public static void Apply(PlannedDirectory directory, List<TreeEntry> entries, IFileGate gate)
    {
        if (gate.Trigger is not { } ending) return;
        var triggers = new HashSet<string>(StringComparer.Ordinal);
        var files = new HashSet<string>(StringComparer.Ordinal);
        foreach (var entry in entries)
        {
            if (entry.Name.EndsWith(ending, StringComparison.Ordinal)) triggers.Add(entry.Name);
            else if (entry.Type == RemoteEntryType.File) files.Add(entry.Name + ending);
        }
        foreach (var entry in entries)
        {
            if (triggers.Contains(entry.Name) && files.Contains(entry.Name))
                gate.Triggered(directory.PathOf(entry.Name), entry.Length, entry.Modified);
        }
        entries.RemoveAll(entry =>
            entry.Type == RemoteEntryType.File && (triggers.Contains(entry.Name) || !triggers.Contains(entry.Name + ending)));
    }
}
