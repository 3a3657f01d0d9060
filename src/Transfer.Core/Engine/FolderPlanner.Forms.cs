using Transfer.Diagnostics;

namespace Transfer.Engine;

/// <summary>Names that a server has in another of Unicode's forms than the source.</summary>
internal sealed partial class FolderPlanner
{
    // The source's name is looked for, which the listing does not have.
    private async ValueTask AdoptFormsAsync(PlannedDirectory directory, IEnumerable<TreeEntry> entries, Dictionary<string, TreeEntry> existing, CancellationToken ct)
    {
        if (TwinNames.MergesForms(_target.Names)) return;
        var names = entries.Select(entry => directory.NameThere(entry.Name));
        if (OtherForms.Sought(names, existing.Keys) is not { Count: > 0 } sought) return;
        IReadOnlyList<TreeLook>? found = null;
        try
        {
            found = await _target.LookAsync(directory.TargetPath, sought, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            Log.FormsUnknown(_job.Logger, directory.TargetPath, e.Message);
        }
        foreach (var (name, listed) in OtherForms.Adopt(sought, found, names, existing))
        {
            (directory.Adopted ??= []).Add(name);
            Log.OtherForm(_job.Logger, directory.PathThere(listed));
        }
    }
}
