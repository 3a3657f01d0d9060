using Transfer.Engine.Backups;
using Transfer.Engine.Trees;
using Transfer.Names;

namespace Transfer.Engine.Planning;

/// <summary>Plans the links of a folder.</summary>
/// <param name="plan">The plan.</param>
/// <param name="saving">The backup of replaced links; null: none.</param>
internal sealed class FolderLinks(FolderPlan plan, BackupFolder? saving)
{
    private const int LinksTogether = 256;

    private readonly List<PlannedLink> _links = [];

    /// <summary>Plans the links of a directory that the rule wants; they are created once all directories exist.</summary>
    public async ValueTask CopyAsync(PlannedDirectory directory, FoundEntries found, CancellationToken ct)
    {
        if (found.Error is { } error)
        {
            plan.Fail(directory, found.Links, error);
            return;
        }
        IReadOnlyList<LinkText> texts;
        Dictionary<string, string?> there;
        try
        {
            texts = await plan.Source.ReadLinksAsync(directory.Path, found.Links, ct).ConfigureAwait(false);
            there = await TextsThereAsync(directory, found, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            plan.Fail(directory, found.Links, e);
            return;
        }
        for (var i = 0; i < found.Links.Count; i++)
        {
            var link = found.Links[i];
            var (item, name) = (directory.ItemOf(link.Name), directory.NameThere(link.Name));
            if (texts[i].Error is { } unread) plan.Job.Fail(item, unread);
            else if (!plan.Rule.Link(directory, link, texts[i].Text!, found.There(name), there.GetValueOrDefault(name))) continue;
            else if (plan.Filter.IsFinal) plan.FailUntransferred(item);
            else Add(directory, link, texts[i].Text!);
        }
    }

    private async ValueTask<Dictionary<string, string?>> TextsThereAsync(PlannedDirectory directory, FoundEntries found,
        CancellationToken ct)
    {
        var texts = new Dictionary<string, string?>();
        if (!plan.Rule.WalksTarget) return texts;
        var links = found.Links.Select(link => found.There(directory.NameThere(link.Name))).OfType<TreeEntry>().Where(
            there => there.Type == RemoteEntryType.Link).ToList();
        if (links.Count == 0) return texts;
        var read = await plan.Target.ReadLinksAsync(directory.TargetPath, links, ct).ConfigureAwait(false);
        for (var i = 0; i < links.Count; i++) texts[links[i].Name] = read[i].Text;
        return texts;
    }

    /// <summary>Returns the entries to which the links of a directory lead, with their real paths.</summary>
    public async ValueTask<List<(TreeEntry Entry, string? Real)>> FollowAsync(PlannedDirectory directory, FoundEntries found,
        CancellationToken ct)
    {
        var followed = new List<(TreeEntry, string?)>();
        IReadOnlyList<LinkEnd> ends;
        try
        {
            ends = await plan.Source.FollowAsync(directory.Path, found.Links, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            plan.Fail(directory, found.Links, e);
            return followed;
        }
        for (var i = 0; i < found.Links.Count; i++)
        {
            var item = directory.ItemOf(found.Links[i].Name);
            if (ends[i].Error is { } error) plan.Job.Fail(item, error);
            else if (ends[i].Entry is not { } entry) plan.Job.Skip(item, SkipReason.LinkTarget);
            else if (plan.Admits(directory, entry)) followed.Add((entry, ends[i].RealPath));
        }
        return followed;
    }

    private void Add(PlannedDirectory directory, TreeEntry link, string text)
    {
        var planned = new PlannedLink(
            directory, link.Name, text, plan.Options.PreserveModified ? link.Modified : null,
            plan.Options.Overwrite is OverwriteMode.Always or OverwriteMode.Newer, plan.Job.NextTemporaryName());
        lock (_links) _links.Add(planned);
        plan.Job.PlanFile(0);
    }

    // Returns the links with names that are free now.
    private async ValueTask<PlannedLink[]> SaveReplacedAsync(PlannedLink[] links, CancellationToken ct)
    {
        if (saving is null) return links;
        var free = new List<PlannedLink>(links.Length);
        foreach (var link in links)
        {
            try
            {
                if (link.Replace) await saving.TakeAsync(link.Item.TargetPath, ct).ConfigureAwait(false);
                free.Add(link);
            }
            catch (TransferException e)
            {
                plan.Job.UnplanFile(0);
                plan.Job.Fail(link.Item, e);
            }
        }
        return [.. free];
    }

    /// <summary>
    /// Creates the links once all directories exist: so no entry of this job is created behind one of these links.
    /// </summary>
    public async ValueTask MakeAsync(CancellationToken ct)
    {
        foreach (var wanted in _links.Chunk(LinksTogether))
        {
            IReadOnlyList<TransferException?> errors;
            var some = await SaveReplacedAsync(wanted, ct).ConfigureAwait(false);
            try
            {
                errors = await plan.Target.CreateLinksAsync(some, ct).ConfigureAwait(false);
            }
            catch (TransferException e)
            {
                errors = [.. some.Select(_ => e)];
            }
            for (var i = 0; i < some.Length; i++)
            {
                if (errors[i] is null)
                {
                    plan.Job.Done(some[i].Item, new TransferResult(), some[i].Directory.GroupOf(some[i].Name));
                    continue;
                }
                plan.Job.UnplanFile(0);
                if (errors[i] is { Error: TransferError.Exists } && plan.Options.Overwrite == OverwriteMode.Skip)
                    plan.Job.Skip(some[i].Item, SkipReason.Exists);
                else plan.Job.Fail(some[i].Item, errors[i]!);
            }
        }
    }
}
