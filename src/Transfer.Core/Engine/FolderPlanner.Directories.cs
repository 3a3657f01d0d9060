using Transfer.Diagnostics;
using Transfer.Engine.Sync;

namespace Transfer.Engine;

/// <summary>Which directories there are, and those that only the target has.</summary>
internal sealed partial class FolderPlanner
{
    private readonly Lock _making = new();

    private void Enter(PlannedDirectory directory, TreeEntry entry, string? real, Found found)
    {
        var there = directory.NameThere(entry.Name);
        var child = new PlannedDirectory(directory, entry.Name, real, there) { There = found.There(there), MayBeThere = found.Unknown?.ContainsKey(there) == true, Mode = PlannedDirectory.ModeFor(entry.Mode) };
        child.IsMade = child.There is { Type: RemoteEntryType.Directory };
        child.IsIncluded = _filter.Includes(child);
        // A job's own, of this moment or of one that was killed: what is in there is half. Backups are not mixed with what is sent.
        if (TemporaryNames.IsTemporary(entry.Name) || IsBackup(directory.PathThere(there)))
        {
            _job.Skip(child.Item);
        }
        else if (child.IsFollowed && directory.IsInside(child.RealPath))
        {
            Log.LinkLoop(_job.Logger, child.Path);
            _job.Skip(child.Item);
        }
        else if (_bounds.RefuseFollowed(child) is { } error)
        {
            _job.Fail(child.Item, error);
        }
        else
        {
            if (!TryPutDown(directory, child, found.Next)) return;
            if (_options is SyncOptions { Delete: true } && child is { IsMade: true, There: { } listed }) (directory.DirectoriesThere ??= []).Add(listed);
            if (!_filter.IsSelective) _options.Folders?.Report(child.Path);
        }
    }

    private async ValueTask CreateAsync(IEnumerable<PlannedDirectory> directories, CancellationToken ct)
    {
        var wanted = directories.Where(directory => !directory.IsMade && directory.Error is null).ToArray();
        if (wanted.Length == 0) return;
        try
        {
            var outcomes = await _target.CreateDirectoriesAsync(wanted, ct).ConfigureAwait(false);
            for (var i = 0; i < wanted.Length; i++)
            {
                (wanted[i].IsCreated, wanted[i].Error, wanted[i].IsMade) = (outcomes[i].Created, outcomes[i].Error, outcomes[i].Error is null);
                wanted[i].Fresh = wanted[i].IsCreated && wanted[i].WasAbsent;
            }
        }
        catch (TransferException e)
        {
            foreach (var directory in wanted) directory.Error = e;
        }
    }

    // With inclusions, a directory is made when something is found for it; those above it may be on their way by then.
    private Task MakeAsync(PlannedDirectory directory, CancellationToken ct)
    {
        if (directory.IsMade) return Task.CompletedTask;
        lock (_making) return directory.Making ??= MakeOnceAsync(directory, ct);
    }

    private async Task MakeOnceAsync(PlannedDirectory directory, CancellationToken ct)
    {
        await MakeAsync(directory.Parent!, ct).ConfigureAwait(false);
        directory.Error ??= directory.Parent!.Error;
        _options.Folders?.Report(directory.Path);
        await CreateAsync([directory], ct).ConfigureAwait(false);
    }

    private async Task VisitExtraAsync(PlannedDirectory directory, List<PlannedDirectory> next, CancellationToken ct)
    {
        TreeListing listed;
        try
        {
            listed = await _target.ListAsync(directory.TargetPath, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            directory.Keep();
            _job.Fail(directory.Item, e);
            return;
        }
        // What it names goes. Whether there was more shows when the folder itself is to go.
        if (listed.Gap is { } gap) _job.Fail(directory.Item, gap);
        using (listed) await AddExtrasAsync(directory, await _leftovers.CleanAsync(directory, listed.Entries, ct).ConfigureAwait(false), next, ct).ConfigureAwait(false);
    }

    private async ValueTask FindExtrasAsync(
        PlannedDirectory directory, TreeEntry[] entries, Dictionary<string, TreeEntry> existing, List<PlannedDirectory> next, CancellationToken ct)
    {
        if (directory.IsLinked) return;
        var names = entries.Select(entry => directory.NameThere(entry.Name)).ToArray();
        var missing = DeletionRules.Unlisted(names, existing, directory.Adopted);
        HoldUnproved(directory, existing);
        if (existing.Count == 0) return;
        if (missing.Count > 0) await LeaveOtherSpellingsAsync(directory, names, missing, existing, ct).ConfigureAwait(false);
        if (existing.Count == 0) return;
        if (_options is SyncOptions { Delete: true } && !await MayDeleteInAsync(directory, ct).ConfigureAwait(false)) return;
        await AddExtrasAsync(directory, existing.Values, next, ct).ConfigureAwait(false);
    }

    // What the source's listing does not have may be there all the same, if that is partial, or empty without a proof, or hides names.
    private void HoldUnproved(PlannedDirectory directory, Dictionary<string, TreeEntry> existing)
    {
        if (_options is not SyncOptions { Delete: true } options) return;
        foreach (var held in existing.Keys.ToArray().GroupBy(ProofOf).Where(held => held.Key != AbsenceProof.Proved))
        {
            var count = held.Count(name => AdmitsExtra(directory, existing[name]));
            foreach (var name in held) existing.Remove(name);
            if (count == 0) continue;
            _job.Hold(count);
            if (held.Key == AbsenceProof.Partial) Log.AbsenceUnproved(_job.Logger, directory.Path, count);
            else if (held.Key == AbsenceProof.Silent) Log.NothingDeleted(_job.Logger, directory.Path, count);
            else Log.DotsUnproved(_job.Logger, directory.Path, count);
        }

        AbsenceProof ProofOf(string name) => DeletionRules.ProofOf(name, directory.IsPartial, directory.Listed, directory.MayHideDots, options.DeleteForEmptySource);
    }

    // A server that does not tell case apart has what the source has, under another spelling: to delete that would be to delete it.
    private async ValueTask LeaveOtherSpellingsAsync(
        PlannedDirectory directory, string[] names, HashSet<string> missing, Dictionary<string, TreeEntry> existing, CancellationToken ct)
    {
        var alike = existing.Keys.Where(missing.Contains).ToList();
        if (alike.Count == 0) return;
        var taken = existing.Keys.Concat(names).ToHashSet();
        foreach (var name in alike)
        {
            if (!await IsFoundOtherwiseAsync(directory, name, taken, ct).ConfigureAwait(false)) continue;
            Log.OtherSpelling(_job.Logger, directory.PathThere(name));
            existing.Remove(name);
            directory.Keep();
        }
    }

    // By a spelling that neither side has; true also where that can't be found out.
    private async ValueTask<bool> IsFoundOtherwiseAsync(PlannedDirectory directory, string name, HashSet<string> taken, CancellationToken ct)
    {
        if (DeletionRules.SpellingToTry(name, taken) is not { } spelling) return true;
        try
        {
            return !(await _target.LookAsync(directory.TargetPath, [spelling], ct).ConfigureAwait(false))[0].IsAbsent;
        }
        catch (TransferException)
        {
            return true;
        }
    }

    // What is left out of the source is so at the target too, under either name.
    private bool AdmitsExtra(PlannedDirectory directory, in TreeEntry entry) =>
        Admits(directory, entry) && (_names.NameHere(entry.Name) is var name && name == entry.Name || Admits(directory, entry with { Name = name }));
}
