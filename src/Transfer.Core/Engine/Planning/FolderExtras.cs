using Transfer.Diagnostics;
using Transfer.Engine.Files;
using Transfer.Engine.Recovery;
using Transfer.Engine.Sync;
using Transfer.Engine.Trees;
using Transfer.Listings;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Planning;

/// <summary>Plans extra entries of the target: a proved directory is entered, and the entries there are deleted.</summary>
/// <param name="plan">The plan.</param>
/// <param name="leftovers">The leftovers of earlier runs at the target, which are deleted.</param>
internal sealed class FolderExtras(FolderPlan plan, TargetLeftovers leftovers)
{
    private readonly Lock _proving = new();

    /// <summary>Reads a directory that only the target has.</summary>
    public async Task VisitAsync(PlannedDirectory directory, List<PlannedDirectory> next, CancellationToken ct)
    {
        TreeListing listed;
        try
        {
            listed = await plan.Target.ListAsync(directory.TargetPath, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            directory.Keep();
            plan.Job.Fail(directory.Item, e);
            return;
        }
        // The listed entries go. Whether there were more shows when the folder itself is removed.
        if (listed.Gap is { } gap) plan.Job.Fail(directory.Item, gap);
        using (listed)
        {
            await AddExtrasAsync(directory, await leftovers.CleanAsync(directory, listed.Entries, ct).ConfigureAwait(false), next,
                ct).ConfigureAwait(false);
        }
    }

    /// <summary>Finds the extra entries of the target in a directory that both sides have.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="entries">All entries of the source.</param>
    /// <param name="existing">All entries of the target, reduced to those that stay.</param>
    /// <param name="next">Receives the directories.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask FindAsync(
        PlannedDirectory directory, TreeEntry[] entries, Dictionary<string, TreeEntry> existing, List<PlannedDirectory> next,
        CancellationToken ct)
    {
        // Extra entries stay, and extra folders need not be entered.
        if (directory.IsLinked || directory.IsMerged || plan.Options is not SyncOptions { Delete: true }) return;
        var names = entries.Select(entry => directory.NameThere(entry.Name)).ToArray();
        var missing = DeletionRules.Unlisted(names, existing, directory.Side.Adopted);
        HoldUnproved(directory, existing);
        if (existing.Count == 0) return;
        if (missing.Count > 0) await LeaveOtherSpellingsAsync(directory, names, missing, existing, ct).ConfigureAwait(false);
        if (existing.Count == 0) return;
        if (!await MayDeleteInAsync(directory, ct).ConfigureAwait(false)) return;
        await AddExtrasAsync(directory, existing.Values, next, ct).ConfigureAwait(false);
    }

    // Entries that a listing of the source lacks may exist all the same, if the listing is partial, empty without proof, or hides names.
    private void HoldUnproved(PlannedDirectory directory, Dictionary<string, TreeEntry> existing)
    {
        if (plan.Options is not SyncOptions options) return;
        foreach (var held in existing.Keys.ToArray().GroupBy(ProofOf).Where(held => held.Key != AbsenceProof.Proved))
        {
            var count = held.Count(name => AdmitsExtra(directory, existing[name]));
            foreach (var name in held) existing.Remove(name);
            if (count == 0) continue;
            plan.Job.CountHeld(count);
            if (held.Key == AbsenceProof.Partial) Log.AbsenceUnproved(plan.Job.Logger, directory.ShownPath, count);
            else if (held.Key == AbsenceProof.Silent) Log.NothingDeleted(plan.Job.Logger, directory.ShownPath, count);
            else Log.DotsUnproved(plan.Job.Logger, directory.ShownPath, count);
        }

        AbsenceProof ProofOf(string name) =>
            DeletionRules.ProofOf(name, directory.IsPartial, directory.Listed, directory.MayHideDots, options.DeleteForEmptySource);
    }

    // A server that does not distinguish case has the source's file under another spelling: deleting that would delete the file.
    private async ValueTask LeaveOtherSpellingsAsync(
        PlannedDirectory directory, string[] names, HashSet<string> missing, Dictionary<string, TreeEntry> existing, CancellationToken ct)
    {
        var alike = existing.Keys.Where(missing.Contains).ToList();
        if (alike.Count == 0) return;
        var taken = existing.Keys.Concat(names).ToHashSet();
        foreach (var name in alike)
        {
            if (!await IsFoundOtherwiseAsync(directory, name, taken, ct).ConfigureAwait(false)) continue;
            Log.OtherSpelling(plan.Job.Logger, directory.PathThere(name));
            existing.Remove(name);
            directory.Keep();
        }
    }

    // Looks for a spelling that neither side has; true also where the look fails.
    private async ValueTask<bool> IsFoundOtherwiseAsync(PlannedDirectory directory, string name, HashSet<string> taken,
        CancellationToken ct)
    {
        if (DeletionRules.SpellingToTry(name, taken) is not { } spelling) return true;
        try
        {
            return !(await plan.Target.LookAsync(directory.TargetPath, [spelling], ct).ConfigureAwait(false))[0].IsAbsent;
        }
        catch (TransferException)
        {
            return true;
        }
    }

    // Names excluded at the source are so at the target too, mapped or not.
    private bool AdmitsExtra(PlannedDirectory directory, in TreeEntry entry) =>
        plan.Admits(directory, entry)
            && (plan.Names.NameHere(entry.Name) is var name && name == entry.Name || plan.Admits(directory, entry with { Name = name }));

    private async ValueTask AddExtrasAsync(
        PlannedDirectory directory, IEnumerable<TreeEntry> extras, List<PlannedDirectory> next, CancellationToken ct)
    {
        var directories = new List<TreeEntry>();
        foreach (var entry in extras)
        {
            // A name that leads elsewhere would delete elsewhere.
            var strange = ListedNames.Refuse(entry.Name) ?? ListedNames.RefuseLineEnd(entry.Name);
            if (strange is not null) Log.NameRefused(plan.Job.Logger, directory.TargetPath, entry.Name);
            var isOwn = plan.HasOwn && (entry.Type == RemoteEntryType.Directory
                ? plan.IsOwn(directory.PathThere(entry.Name)) : plan.LeadsToOwn(directory.PathThere(entry.Name)));
            var fate = DeletionRules.FateOf(entry.Type, strange is not null, AdmitsExtra(directory, entry), isOwn);
            if (fate == ExtraFate.Stay) directory.Keep();
            else if (fate == ExtraFate.Prove) directories.Add(entry);
            else plan.Rule.Extra(directory, entry);
        }
        if (directories.Count > 0) await EnterExtrasAsync(directory, directories, next, ct).ConfigureAwait(false);
    }

    // Only proved child directories are entered: behind a link is another folder.
    private async ValueTask EnterExtrasAsync(
        PlannedDirectory directory, List<TreeEntry> entries, List<PlannedDirectory> next, CancellationToken ct)
    {
        IReadOnlyList<DirectoryProof> proofs;
        try
        {
            proofs = await plan.Target.ProveAsync(directory.TargetPath, entries, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            directory.Keep();
            foreach (var entry in entries) plan.Job.Fail(directory.ItemOf(entry.Name), e);
            return;
        }
        for (var i = 0; i < entries.Count; i++)
        {
            var link = entries[i] with { Type = RemoteEntryType.Link };
            var fate = DeletionRules.FateOf(proofs[i], AdmitsExtra(directory, link));
            if (fate == ExtraFate.Delete && plan.HasOwn && plan.LeadsToOwn(directory.PathThere(link.Name))) fate = ExtraFate.Stay;
            if (fate == ExtraFate.Delete) plan.Rule.Extra(directory, link, proofs[i]);
            else if (fate == ExtraFate.Stay) directory.Keep();
            if (fate != ExtraFate.Enter) continue;
            var child = new PlannedDirectory(directory, entries[i].Name) { IsExtra = true, TargetEntry = entries[i] };
            child.IsIncluded = plan.Filter.Includes(child);
            // With inclusions, a folder exists only for included entries: one that is not included itself stays.
            if (plan.Filter.IsSelective && !child.IsIncluded) child.Keep();
            if (plan.TryPutDown(directory, child, next)) plan.Rule.Extra(child, null);
        }
    }

    // A directory that both sides have may be a link at the target, which a listing does not show.
    private async ValueTask<bool> MayDeleteInAsync(PlannedDirectory directory, CancellationToken ct)
    {
        try
        {
            var proof = await ProveAsync(directory, ct).ConfigureAwait(false);
            if (proof == DirectoryProof.Unknown) plan.Job.Fail(directory.Item, DoubtfulDirectory.NotEmptied(directory.TargetPath));
            else if (proof == DirectoryProof.Link) Log.NothingDeletedBehindLink(plan.Job.Logger, directory.TargetPath);
            return proof == DirectoryProof.Child;
        }
        catch (TransferException e)
        {
            plan.Job.Fail(directory.Item, e);
            return false;
        }
    }

    private async ValueTask<DirectoryProof> ProveAsync(PlannedDirectory directory, CancellationToken ct)
    {
        // The job's own folder may be reached through a link.
        if (directory.Parent is not { } parent) return DirectoryProof.Child;
        if (await ProveAsync(parent, ct).ConfigureAwait(false) is var above and not DirectoryProof.Child) return above;
        if (directory.TargetEntry is not { } there) return DirectoryProof.Child;
        Task<Dictionary<string, DirectoryProof>> asked;
        lock (_proving) asked = parent.Side.Proofs ??= ProveChildrenAsync(parent, ct);
        return (await asked.ConfigureAwait(false)).GetValueOrDefault(there.Name);
    }

    private async Task<Dictionary<string, DirectoryProof>> ProveChildrenAsync(PlannedDirectory directory, CancellationToken ct)
    {
        var entries = directory.Side.Directories ?? [];
        var proofs = await plan.Target.ProveAsync(directory.TargetPath, entries, ct).ConfigureAwait(false);
        var known = new Dictionary<string, DirectoryProof>(entries.Count, StringComparer.Ordinal);
        for (var i = 0; i < entries.Count; i++) known[entries[i].Name] = proofs[i];
        return known;
    }
}
