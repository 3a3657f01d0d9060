using System.Text;
using Transfer.Diagnostics;
using Transfer.Local;

namespace Transfer.Engine;

/// <summary>Names that a server has in another of Unicode's forms than the source.</summary>
internal sealed partial class FolderPlanner
{
    // A server that does not tell the forms apart (macOS) has what the source has under one of its own: that is the file, to be compared, kept or replaced, and never deleted as another.
    // The source's name is looked for, which the listing does not have: where the server finds it, or does not say, the two are one.
    private async ValueTask AdoptFormsAsync(PlannedDirectory directory, IEnumerable<TreeEntry> entries, Dictionary<string, TreeEntry> existing, CancellationToken ct)
    {
        if (TwinNames.MergesForms(_target.Names)) return;
        var listed = existing.Keys.Where(name => !Ascii.IsValid(name)).ToList();
        if (listed.Count == 0) return;
        var forms = listed.ToLookup(name => name, LocalNames.FormsAlone);
        var names = entries.Select(entry => directory.NameThere(entry.Name)).Where(name => !Ascii.IsValid(name)).ToHashSet();
        var sought = names.Where(name => !existing.ContainsKey(name) && forms[name].Any(other => !names.Contains(other))).ToList();
        if (sought.Count == 0) return;
        IReadOnlyList<TreeLook>? found = null;
        try
        {
            found = await _target.LookAsync(directory.TargetPath, sought, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            Log.FormsUnknown(_job.Logger, directory.TargetPath, e.Message);
        }
        for (var i = 0; i < sought.Count; i++)
        {
            if (found is not null && found[i].IsAbsent) continue;
            var other = forms[sought[i]].First(name => !names.Contains(name));
            if (!existing.Remove(other, out var entry)) continue;
            existing[sought[i]] = entry with { Name = sought[i] };
            Log.OtherForm(_job.Logger, directory.PathThere(other));
        }
    }
}
