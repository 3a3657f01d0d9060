using Transfer.Diagnostics;
using Transfer.Engine.Trees;
using Transfer.Sessions;

namespace Transfer.Engine.Planning;

/// <summary>
/// Finds links that lead in a circle at a server that lists links to directories as directories: such a directory has the listing of one
/// above. With two such links in a directory the number of paths doubles at each level. Of what the target has in such a directory nothing
/// is extra, unless the directory is proved.
/// </summary>
/// <param name="plan">The means of the plan.</param>
internal sealed class FolderLoops(FolderPlan plan)
{
    /// <summary>Returns whether a directory of the source, just listed, is such a link, which is skipped.</summary>
    /// <exception cref="TransferException">Too many directories look like such links, and no proof says otherwise.</exception>
    public async ValueTask<bool> IsLoopAsync(PlannedDirectory directory, IReadOnlyList<TreeEntry> entries, CancellationToken ct)
    {
        directory.Sign = ListingSign.Of(entries);
        if (!ListingSign.RepeatsAbove(directory)) return false;
        var proof = await ProveAsync(directory, ct).ConfigureAwait(false);
        // Behind a link absence proves nothing.
        if (proof != DirectoryProof.Child) directory.Listed = ListingVerdict.Partial;
        if (proof != DirectoryProof.Link)
            return plan.RefuseRepeated(directory, isProved: proof == DirectoryProof.Child) is { } refusal ? throw refusal : false;
        Log.LinkLoop(plan.Job.Logger, directory.Path);
        plan.Job.Skip(directory.Item, SkipReason.LinkTarget);
        return true;
    }

    /// <summary>
    /// Notes that a directory of the source is not read. Directories above that repeat one above them seem to be links without an end,
    /// despite a proof: some servers show links nowhere. Nothing in these directories is extra.
    /// </summary>
    public void NoteUnread(PlannedDirectory directory)
    {
        for (var at = directory.Parent; at is not null; at = at.Parent)
        {
            if (ListingSign.RepeatsAbove(at)) plan.Rule.Spare(at);
        }
    }

    private async ValueTask<DirectoryProof> ProveAsync(PlannedDirectory directory, CancellationToken ct)
    {
        try
        {
            var entry = new TreeEntry(RemotePath.GetName(directory.Path), RemoteEntryType.Directory, directory.ListedLength, 0);
            return (await plan.Source.ProveAsync(directory.Parent!.Path, [entry], ct).ConfigureAwait(false))[0];
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            Log.LoopUnproved(plan.Job.Logger, directory.Path, e.Message);
            return DirectoryProof.Unknown;
        }
    }
}
