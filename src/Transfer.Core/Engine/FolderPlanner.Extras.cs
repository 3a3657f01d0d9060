using Transfer.Diagnostics;
using Transfer.Engine.Sync;
using Transfer.Sessions;

namespace Transfer.Engine;

/// <summary>What only the target has: a directory is entered, and anything in it deleted, where it is proved to be one.</summary>
internal sealed partial class FolderPlanner
{
    private readonly Lock _proving = new();

    private async ValueTask AddExtrasAsync(
        PlannedDirectory directory, IEnumerable<TreeEntry> extras, List<PlannedDirectory> next, CancellationToken ct)
    {
        var directories = new List<TreeEntry>();
        foreach (var entry in extras)
        {
            // A name that leads elsewhere would delete elsewhere.
            var strange = ListedNames.Refuse(entry.Name) ?? ListedNames.RefuseLineEnd(entry.Name);
            if (strange is not null) Log.NameRefused(_job.Logger, directory.TargetPath, entry.Name);
            var isOwn = entry.Type == RemoteEntryType.Directory && IsOwn(directory.PathThere(entry.Name));
            var fate = DeletionRules.FateOf(entry.Type, strange is not null, AdmitsExtra(directory, entry), isOwn);
            if (fate == ExtraFate.Stay) directory.Keep();
            else if (fate == ExtraFate.Prove) directories.Add(entry);
            else _rule.Extra(directory, entry);
        }
        if (directories.Count > 0) await EnterExtrasAsync(directory, directories, next, ct).ConfigureAwait(false);
    }

    // A folder of the job's own at the target.
    private bool IsOwn(string path) => Temporary?.Within is { } kept && _target.Names.Equals(kept, path) || IsBackup(path);

    private bool IsBackup(string path) => _backup?.Within is { } within && _target.Names.Equals(within, path);

    // Only what is surely in there is entered: behind a link is another folder.
    private async ValueTask EnterExtrasAsync(
        PlannedDirectory directory, List<TreeEntry> entries, List<PlannedDirectory> next, CancellationToken ct)
    {
        IReadOnlyList<DirectoryProof> proofs;
        try
        {
            proofs = await _target.ProveAsync(directory.TargetPath, entries, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            directory.Keep();
            foreach (var entry in entries) _job.Fail(directory.ItemOf(entry.Name), e);
            return;
        }
        for (var i = 0; i < entries.Count; i++)
        {
            var link = entries[i] with { Type = RemoteEntryType.Link };
            var fate = DeletionRules.FateOf(proofs[i], AdmitsExtra(directory, link));
            if (fate == ExtraFate.Delete) _rule.Extra(directory, link, proofs[i]);
            else if (fate == ExtraFate.Stay) directory.Keep();
            if (fate != ExtraFate.Enter) continue;
            var child = new PlannedDirectory(directory, entries[i].Name) { IsExtra = true, There = entries[i] };
            child.IsIncluded = _filter.Includes(child);
            // With inclusions, folders are what they hold: none goes that is not included itself.
            if (_filter.IsSelective && !child.IsIncluded) child.Keep();
            if (TryPutDown(directory, child, next)) _rule.Extra(child, null);
        }
    }

    // A directory that both sides have may be a link at the target, which a listing does not show.
    private async ValueTask<bool> MayDeleteInAsync(PlannedDirectory directory, CancellationToken ct)
    {
        try
        {
            var proof = await ProveAsync(directory, ct).ConfigureAwait(false);
            if (proof == DirectoryProof.Unknown) _job.Fail(directory.Item, DoubtfulDirectory.NotEmptied(directory.TargetPath));
            else if (proof == DirectoryProof.Link) Log.NothingDeletedBehindLink(_job.Logger, directory.TargetPath);
            return proof == DirectoryProof.Child;
        }
        catch (TransferException e)
        {
            _job.Fail(directory.Item, e);
            return false;
        }
    }

    private async ValueTask<DirectoryProof> ProveAsync(PlannedDirectory directory, CancellationToken ct)
    {
        // The job's own folder may be reached through a link.
        if (directory.Parent is not { } parent) return DirectoryProof.Child;
        if (await ProveAsync(parent, ct).ConfigureAwait(false) is var above and not DirectoryProof.Child) return above;
        if (directory.There is not { } there) return DirectoryProof.Child;
        Task<Dictionary<string, DirectoryProof>> asked;
        lock (_proving) asked = parent.Proofs ??= ProveChildrenAsync(parent, ct);
        return (await asked.ConfigureAwait(false)).GetValueOrDefault(there.Name);
    }

    private async Task<Dictionary<string, DirectoryProof>> ProveChildrenAsync(PlannedDirectory directory, CancellationToken ct)
    {
        var entries = directory.DirectoriesThere ?? [];
        var proofs = await _target.ProveAsync(directory.TargetPath, entries, ct).ConfigureAwait(false);
        var known = new Dictionary<string, DirectoryProof>(entries.Count, StringComparer.Ordinal);
        for (var i = 0; i < entries.Count; i++) known[entries[i].Name] = proofs[i];
        return known;
    }
}
